// One crawl, live: the server writes the parts that change, and those that are others now are put in their places.

import { post } from "./api.js";

const live = document.getElementById("live");
const { crawl: id, name } = document.querySelector(".crawl-head").dataset;
const trouble = document.getElementById("trouble");

const ASKED = {
  max_pages: ["Resume", "Most pages", "It stopped at its limit of pages. The new limit counts all pages, those it has too; 0 is no limit."],
  budget: ["Recrawl", "Requests", "Left empty, every page is visited again. A budget makes the requests that are expected to bring most news."],
};

/** Replace what changed. What somebody is using, by focus or by an open fold, stays as it is for now. */
async function refresh() {
  const answer = await fetch(live.dataset.path);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
  const known = new Set();
  let before = null;
  for (const part of [...fresh.children]) {
    known.add(part.id);
    const old = document.getElementById(part.id);
    if (!old) {
      if (before) before.after(part);
      else live.prepend(part);
      before = part;
      continue;
    }
    if (old.innerHTML !== part.innerHTML && !old.contains(document.activeElement)) {
      old.replaceWith(part);
      before = part;
    } else {
      before = old;
    }
  }
  for (const part of [...live.children]) if (part.id && !known.has(part.id)) part.remove();
}

const state = () => document.getElementById("state")?.textContent;

async function again() {
  if (!document.hidden) await refresh().catch(() => {});
  setTimeout(again, state() === "running" ? 1000 : 4000);
}

/** What a dialog was closed with. */
function closed(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}

async function askedNumber(key) {
  const dialog = document.getElementById("ask-number");
  const [title, label, note] = ASKED[key];
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("label").textContent = label;
  dialog.querySelector(".note").textContent = note;
  const field = dialog.querySelector("input");
  field.value = "";
  if ((await closed(dialog)) !== "go") return null;
  return field.value.trim() === "" ? {} : { [key]: Number(field.value) };
}

async function act(button) {
  const { act: which, ask } = button.dataset;
  trouble.hidden = true;
  if (which === "delete") {
    if ((await closed(document.getElementById("ask-delete"))) !== "delete") return;
    await post(`/api/crawls/${id}/delete`, { name });
    location.assign("/");
    return;
  }
  const body = ask ? await askedNumber(ask) : {};
  if (body === null) return;
  button.disabled = true;
  const path = which === "pause" || which === "stop" ? "end" : "go";
  try {
    await post(`/api/crawls/${id}/${path}/${which}`, path === "go" ? body : {});
  } finally {
    button.blur();
    button.disabled = false;
    await refresh();
  }
}

document.querySelector("main").addEventListener("click", (event) => {
  const button = event.target.closest("button[data-act]");
  if (!button) return;
  act(button).catch((error) => {
    trouble.textContent = error.message;
    trouble.hidden = false;
  });
});

if (live) setTimeout(again, 1000);
