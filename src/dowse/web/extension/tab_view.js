// The page of a tab as the panel sees it: read where it stands, pointed at, and acted on.

const PATIENCE = 30_000;
const NO_ACCESS = "Chrome shows a page to the extension only after a click on its icon in the toolbar. Click it on this page, "
  + "then read the page.";

export class TabView {
  #tab;
  #post;
  #fetchChoice;
  #port = null;
  #answers = new Map();
  #asked = 0;
  #onHover;
  #onLeft;

  constructor({ tab, fetchChoice, post, onHover, onLeft }) {
    this.#tab = tab;
    this.#post = post;
    this.#fetchChoice = fetchChoice;
    this.#onHover = onHover;
    this.#onLeft = onLeft;
    this.isLive = true;
    this.onPick = () => {};
  }

  get fetch() {
    return this.#fetchChoice.value;
  }

  set fetch(way) {
    this.#fetchChoice.value = way;
  }

  /** Read the page at a URL, or the one that is there. The tab goes there first. */
  async open({ url }) {
    this.#close();
    if (url && bare(url) !== bare((await chrome.tabs.get(this.#tab)).url ?? "")) await this.#goTo(url);
    const { key, url: address, html } = await this.#inject();
    const shown = await this.#post("/api/builder/pages/brought", { url: address, html });
    await this.#connect(key);
    return shown;
  }

  setMode(mode) {
    this.#port?.postMessage({ kind: "mode", mode });
  }

  show(marks) {
    this.#port?.postMessage({ kind: "show", marks });
  }

  /** The HTML of another page of the site, as this browser gets it. */
  read(url) {
    return this.#ask({ kind: "read", url });
  }

  /** Do what a step says, on the page. */
  act(verb, number) {
    return this.#ask({ kind: "act", verb, number });
  }

  async #inject() {
    try {
      const target = { tabId: this.#tab };
      const [{ result }] = await chrome.scripting.executeScript({ target, files: ["picker.js", "on_page.js"] });
      return result;
    } catch {
      throw new Error(NO_ACCESS);
    }
  }

  /** A port: when the panel is closed the page is let go, and when the page goes the panel hears of it. */
  #connect(key) {
    const port = chrome.tabs.connect(this.#tab, { name: key });
    this.#port = port;
    const ready = new Promise((resolve, reject) => { this.#answers.set(0, { resolve, reject }); });
    port.onMessage.addListener((message) => {
      if (message.kind === "pick") this.onPick(message);
      if (message.kind === "hover") this.#onHover(message.text);
      if (message.kind === "answer") {
        const { resolve, reject } = this.#answers.get(message.id);
        this.#answers.delete(message.id);
        if (message.trouble) reject(new Error(message.trouble)); else resolve(message.value);
      }
    });
    port.onDisconnect.addListener(() => {
      if (this.#port !== port) return;
      this.#close();
      this.#onLeft();
    });
    return ready;
  }

  #close() {
    this.#port?.disconnect();
    this.#port = null;
    for (const { reject } of this.#answers.values()) reject(new Error("the tab shows another page now; read it"));
    this.#answers.clear();
  }

  #ask(message) {
    if (!this.#port) return Promise.reject(new Error("read the page first"));
    const id = this.#asked += 1;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#port.postMessage({ id, ...message });
    });
  }

  #goTo(url) {
    return new Promise((resolve, reject) => {
      const end = (act, value) => {
        clearTimeout(timer);
        chrome.tabs.onUpdated.removeListener(heard);
        act(value);
      };
      const heard = (tab, change) => tab === this.#tab && change.status === "complete" && end(resolve);
      const timer = setTimeout(() => end(reject, new Error(`${url} did not load in time`)), PATIENCE);
      chrome.tabs.onUpdated.addListener(heard);
      chrome.tabs.update(this.#tab, { url }).catch((error) => end(reject, error));
    });
  }
}

function bare(url) {
  return url.split("#")[0];
}
