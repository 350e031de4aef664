// What a row could say: buttons for scopes and patterns, each with the links it would take, and names for new page types.

import { make } from "./api.js";

const NO_WORDS = new Set(["http", "https", "html", "htm", "php", "pdf", "index", "www", "org", "com"]);

/** Buttons for offers; `choose` gets the cells of the one that is pressed. */
export function choices(label, offers, choose) {
  const buttons = offers.map((offer) => {
    const words = [make("span", {}, shown(offer)), make("span", { class: "number" }, String(offer.links))];
    const button = make("button", { type: "button", class: "offer", "aria-pressed": String(offer.is_chosen) }, ...words);
    button.dataset.column = offer.column;
    button.dataset.value = offer.value;
    button.addEventListener("click", () => choose(chosen(offer)));
    return button;
  });
  return make("fieldset", {}, make("legend", {}, label), make("div", { class: "offers" }, ...buttons));
}

function chosen({ column, value }) {
  if (column === "pattern") return { pattern: value || "all" };
  return { id: "all", class: "all", tag: "all", ...(column ? { [column]: value } : {}) };
}

function shown({ column, value }) {
  if (column === "pattern") return value || "any address";
  return column ? `${column} ${value}` : "the whole page";
}

/** A name for the pages that a row leads to: the last word of its pattern, or of the folders that all links share. */
export function newType(pattern, urls, known) {
  const folders = sharedFolders(urls.map((url) => new URL(url).pathname.replace(/[^/]*$/, "")));
  const name = lastWord(pattern === "all" ? "" : pattern) ?? lastWord(folders) ?? "page";
  const taken = new Set(["base", ...known]);
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
  return free;
}

function sharedFolders([first = "", ...others]) {
  const parts = first.split("/");
  const differs = parts.findIndex((part, place) => others.some((path) => path.split("/")[place] !== part));
  return parts.slice(0, differs < 0 ? parts.length : differs).join("/");
}

function lastWord(text) {
  return text.match(/\p{L}{3,}/gu)?.findLast((word) => !NO_WORDS.has(word.toLowerCase()));
}
