// The form of a new crawl: the job file is written while one types, by the server, which also says what is wrong.

import { post } from "./api.js";
import { givenOptions, goToProblem, showProblems } from "./option_fields.js";

const form = document.getElementById("new-crawl");
const job = document.getElementById("job");
const trouble = document.getElementById("trouble");
const touched = new Set();
let showsAll = false;
let asked = 0;
let timer = 0;

function jobOf() {
  const seeds = form.elements.seeds?.value.split("\n").map((line) => line.trim()).filter(Boolean) ?? [];
  return { mode: form.dataset.mode, seeds, options: givenOptions(form), name: form.elements.name.value.trim() };
}

function tell(messages) {
  trouble.hidden = !messages.length;
  trouble.textContent = messages.join("; ");
}

async function see() {
  const mine = ++asked;
  const seen = await post("/api/jobs", jobOf());
  if (mine !== asked) return seen;
  const isShown = (name) => showsAll || touched.has(name);
  const isMarked = seen.problems.some((problem) => isShown(problem.key));
  job.textContent = seen.job || (isMarked ? "It is written when what is marked with ✗ is mended." : job.dataset.first);
  if (!form.elements.name.value.trim()) document.getElementById("free-name").textContent = seen.name;
  const rest = showProblems(form, seen.problems, isShown);
  tell(showsAll ? rest : []);
  return seen;
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => see().catch((error) => tell([error.message])), 250);
});
form.addEventListener("change", (event) => {
  touched.add(event.target.name);
  see().catch((error) => tell([error.message]));
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  showsAll = true;
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  try {
    if ((await see()).problems.length) {
      goToProblem(form);
      return;
    }
    location.assign(`/crawls/${(await post("/api/crawls", jobOf())).id}`);
  } catch (error) {
    const rest = showProblems(form, [{ key: error.key ?? "", message: error.message }], () => true);
    tell(rest);
    goToProblem(form);
  } finally {
    button.disabled = false;
  }
});

// What was typed before this script was there counts as well.
for (const field of form.elements) {
  if ("defaultValue" in field && field.type !== "checkbox" && field.value !== field.defaultValue) touched.add(field.name);
}
see().catch((error) => tell([error.message]));
