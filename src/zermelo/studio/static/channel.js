// Questions with their answers, and news, over whatever carries texts: the socket of a page, or a notebook.

const MOST_CHARACTERS = 200000; // of a message, as the studio takes it

export class Channel {
  constructor() {
    this.number = Date.now(); // a page that is loaded again counts on from where it was
    this.pending = new Map();
    this.listeners = new Map();
    this.last = new Map();
  }

  // Sends a text if that is possible now; whoever extends this says how.
  carry() {}

  hear(message) {
    if (message.changes) return this.patch(message.event, message.changes);
    if (message.event) return this.publish(message.event, message.data);
    const asked = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.error !== undefined) return asked?.refuse(new Error(message.error));
    return asked?.settle(message.ok);
  }

  // Publishes a snapshot that differs from the last one by `changes`: a new value stands alone; of a list that goes on,
  // there is the number of entries that stay, and those after them; of a text, what stays at its beginning and its end.
  patch(name, changes) {
    const before = this.last.get(name);
    if (!before) return; // the whole is on its way
    const data = { ...before };
    for (const [key, [first, added, last]] of Object.entries(changes)) {
      const old = before[key];
      if (added === undefined) data[key] = first;
      else if (last === undefined) data[key] = [...old.slice(0, first), ...added];
      else data[key] = old.slice(0, first) + added + old.slice(old.length - last);
    }
    this.publish(name, data);
  }

  publish(name, data) {
    this.last.set(name, data);
    for (const each of this.listeners.get(name) ?? []) each(data);
  }

  ask(verb, given = {}) {
    const id = (this.number += 1);
    const text = JSON.stringify({ id, do: verb, with: given });
    if (text.length > MOST_CHARACTERS) {
      return Promise.reject(new Error(`This is too much: at most ${MOST_CHARACTERS.toLocaleString("en")} characters can be sent.`));
    }
    return new Promise((settle, refuse) => {
      this.pending.set(id, { text, settle, refuse });
      this.carry(text);
    });
  }

  // anywidget's shape: what a view gets as its model. Its own snapshot is `get()` and "change"; that of another part of
  // the studio is `get("learn")` and "change:learn".
  model(name) {
    const channel = this;
    const topicOf = (event) => event.split(":")[1] ?? name;
    return {
      get: (topic = name) => channel.last.get(topic) ?? null,
      ask: (verb, given) => channel.ask(verb.includes(".") ? verb : `${name}.${verb}`, given),
      on(event, act) {
        const topic = topicOf(event);
        if (!channel.listeners.has(topic)) channel.listeners.set(topic, new Set());
        channel.listeners.get(topic).add(act);
      },
      off: (event, act) => channel.listeners.get(topicOf(event))?.delete(act),
    };
  }
}
