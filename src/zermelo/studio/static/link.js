// The socket to the studio: questions with their answers, and news. A lost connection is made again, and what was
// asked and not answered is asked again; the studio does each question once.

const SLOWEST = 5000; // milliseconds between two attempts
const ELSEWHERE = 4001; // the session is open in another tab

export class Link {
  constructor(token, told) {
    // A page that is loaded again goes on with its session; its questions count on from where they were.
    const session = sessionStorage.getItem("zermelo-session") ?? "";
    Object.assign(this, { token, told, session, number: Date.now(), wait: 250, socket: null });
    this.pending = new Map();
    this.listeners = new Map();
    this.last = new Map();
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams({ token: this.token, session: this.session });
    this.socket = new WebSocket(`${scheme}://${location.host}/socket?${query}`);
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = (event) => this.lose(event);
  }

  lose(event) {
    if (event.code === ELSEWHERE) return this.told("elsewhere", "");
    if (event.code === 1008 || (!this.greeted && event.code === 1006)) this.told("refused", event.reason);
    else this.told("lost", "");
    this.wait = Math.min(SLOWEST, this.wait * 2);
    return setTimeout(() => this.connect(), this.wait);
  }

  hear(message) {
    if (message.event === "hello") this.greet(message.data.session);
    else if (message.event) this.publish(message.event, message.data);
    else {
      const asked = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (message.error !== undefined) asked?.refuse(new Error(message.error));
      else asked?.settle(message.ok);
    }
  }

  greet(session) {
    const same = !this.session || this.session === session;
    Object.assign(this, { session, greeted: true, wait: 250 });
    sessionStorage.setItem("zermelo-session", session);
    this.told("open", "");
    for (const [number, asked] of [...this.pending]) {
      if (same) this.socket.send(asked.text);
      else {
        this.pending.delete(number);
        asked.refuse(new Error("The studio was started anew; please try again."));
      }
    }
  }

  publish(name, data) {
    this.last.set(name, data);
    for (const each of this.listeners.get(name) ?? []) each(data);
  }

  ask(verb, given = {}) {
    const id = (this.number += 1);
    const text = JSON.stringify({ id, do: verb, with: given });
    return new Promise((settle, refuse) => {
      this.pending.set(id, { text, settle, refuse });
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  // anywidget's shape: what a view gets as its model. Its own room's picture is `get()` and "change"; another
  // room's is `get("learn")` and "change:learn".
  model(name) {
    const link = this;
    const roomOf = (event) => event.split(":")[1] ?? name;
    return {
      get: (room = name) => link.last.get(room) ?? null,
      ask: (verb, given) => link.ask(verb.includes(".") ? verb : `${name}.${verb}`, given),
      on(event, act) {
        const room = roomOf(event);
        if (!link.listeners.has(room)) link.listeners.set(room, new Set());
        link.listeners.get(room).add(act);
      },
      off: (event, act) => link.listeners.get(roomOf(event))?.delete(act),
    };
  }
}
