// The page of the rule builder: the address, the frame that shows a page, and the panel beside it.

import { get, post } from "./api.js";
import { draftsIn, startBuilder } from "./builder_panel.js";

const form = document.getElementById("address");
const frame = document.getElementById("page-frame");
const status = document.getElementById("status");

/** The frame as the panel sees it. It has an origin of its own, so all that goes to and fro is messages. */
class FrameView {
  #key = "";
  #ready = null;

  constructor() {
    this.onPick = () => {};
    window.addEventListener("message", (event) => {
      if (event.source !== frame.contentWindow || !this.#key || event.data?.key !== this.#key) return;
      if (event.data.kind === "ready") this.#ready?.();
      if (event.data.kind === "hover") document.getElementById("hovered").textContent = event.data.text || "\u00a0";
      if (event.data.kind === "pick") this.onPick(event.data);
    });
  }

  /** Fetch a page and show it. A link is fetched as one that led from the base, which the user named. */
  async open({ url, base, steps }) {
    const shown = await post("/api/builder/pages", { url, base, steps, fetch: form.elements.fetch.value });
    this.#key = shown.id;
    document.getElementById("page-holder").hidden = false;
    const ready = new Promise((resolve) => { this.#ready = resolve; });
    frame.src = shown.frame;
    await ready;
    return shown;
  }

  get fetch() {
    return form.elements.fetch.value;
  }

  set fetch(way) {
    form.elements.fetch.value = way;
  }

  setMode(mode) {
    this.#send({ kind: "mode", mode });
  }

  show(marks) {
    this.#send({ kind: "show", marks });
  }

  #send(message) {
    // The origin of a sandbox has no name. What is sent are numbers of elements.
    if (this.#key) frame.contentWindow.postMessage({ key: this.#key, ...message }, "*");
  }
}

function tell(text, kind = "") {
  status.hidden = !text;
  status.textContent = text;
  status.className = `message ${kind}`;
}

const builder = startBuilder({
  panel: document.getElementById("panel"),
  outcome: document.getElementById("outcome"),
  columns: document.getElementById("builder").dataset.columns.split(" "),
  view: new FrameView(),
  api: { get, post },
  tell,
  drafts: draftsIn(sessionStorage, "rule table"),
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  builder.begin(form.elements.url.value.trim());
});

const code = document.getElementById("connection-code");
document.getElementById("connect").addEventListener("click", async () => {
  try {
    code.textContent = `${location.origin}#${(await post("/api/tokens")).token}`;
  } catch (error) {
    code.textContent = error.message;
  }
});

const asked = new URLSearchParams(location.search);
if (asked.get("table")) builder.openTable(asked.get("table"));
if (asked.get("url")) form.elements.url.value = asked.get("url");
