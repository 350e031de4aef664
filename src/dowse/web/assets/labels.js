// What a person says of pages. The server judges all of them anew and writes the lists, which take the place of those
// that are there.

import { post } from "./api.js";

const { crawl } = document.querySelector(".crawl-head").dataset;
const trouble = document.getElementById("trouble");
const WANTED = { yes: true, no: false };

const lists = () => document.getElementById("labels");

async function say(button) {
  const { url } = button.closest("[data-url]").dataset;
  for (const each of lists().querySelectorAll("button")) each.disabled = true;
  await post(`/api/crawls/${crawl}/labels`, { url, wanted: WANTED[button.dataset.wanted] ?? null });
  const answer = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("labels");
  if (!fresh) throw new Error("the answer was taken, but the page cannot be shown anew; load it again");
  lists().replaceWith(fresh);
  lists().querySelector(".lead").focus({ preventScroll: true }); // on no button: Enter must not answer by chance
}

document.querySelector("main").addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-wanted]");
  if (!button) return;
  trouble.hidden = true;
  try {
    await say(button);
  } catch (error) {
    trouble.textContent = error.message;
    trouble.hidden = false;
    for (const each of lists().querySelectorAll("button")) each.disabled = false;
  }
});
