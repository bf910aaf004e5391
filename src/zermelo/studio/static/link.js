// The socket to the studio: questions with their answers, and news. A lost connection is made again, and what was
// asked and not answered is asked again; the studio does each question once.

import { Channel } from "./channel.js";

const SLOWEST = 5000; // milliseconds between two attempts
const ELSEWHERE = 4001; // the session is open in another tab
const FULL = 4002; // there is no room for another page

export class Link extends Channel {
  constructor(token, report) {
    super();
    // A page that is loaded again goes on with its session.
    const session = sessionStorage.getItem("zermelo-session") ?? "";
    Object.assign(this, { token, report, session, wait: 250, socket: null });
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams({ token: this.token, session: this.session });
    this.socket = new WebSocket(`${scheme}://${location.host}/socket?${query}`);
    this.opened = false;
    this.socket.onopen = () => (this.opened = true);
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = (event) => this.lose(event);
  }

  async lose(event) {
    if (event.code === ELSEWHERE) return this.report("elsewhere");
    const refused = !this.opened && (await this.answers());
    if (event.code === FULL) this.report("full");
    else if (!refused) this.report("lost");
    else this.report(this.session ? "restarted" : "refused"); // each start of the studio has a token of its own
    this.wait = Math.min(SLOWEST, this.wait * 2);
    return setTimeout(() => this.connect(), this.wait);
  }

  // Whether somebody is there: a browser does not tell a refusal from silence.
  answers() {
    return fetch("/link.js", { cache: "no-store" }).then((found) => found.ok, () => false);
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
    Object.assign(this, { session, wait: 250 });
    sessionStorage.setItem("zermelo-session", session);
    this.report("open");
    for (const [number, asked] of [...this.pending]) {
      if (same) this.socket.send(asked.text);
      else {
        this.pending.delete(number);
        asked.refuse(new Error("The studio has forgotten this page, which begins anew; please try again."));
      }
    }
  }
}
