// The socket to the studio: questions with their answers, and news. A lost connection is made again, and what was
// asked and not answered is asked again; the studio does each question once.

import { Channel } from "./channel.js";

const SLOWEST = 5000; // milliseconds between two attempts
const ELSEWHERE = 4001; // the session is open in another tab

export class Link extends Channel {
  constructor(token, told) {
    super();
    // A page that is loaded again goes on with its session.
    const session = sessionStorage.getItem("zermelo-session") ?? "";
    Object.assign(this, { token, told, session, wait: 250, socket: null });
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

  carry(text) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  hear(message) {
    if (message.event === "hello") this.greet(message.data.session);
    else super.hear(message);
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
}
