// The schedule of a crawl: begun and ended.

import { post } from "./api.js";
import { givenOptions, goToProblem, showProblems } from "./option_fields.js";

const { crawl } = document.querySelector(".crawl-head").dataset;
const form = document.getElementById("schedule");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const trouble = document.getElementById("trouble");
  try {
    await post(`/api/crawls/${crawl}/schedule`, { options: givenOptions(form) });
    location.reload();
  } catch (error) {
    const rest = showProblems(form, [{ key: error.key ?? "", message: error.message }], () => true);
    trouble.hidden = !rest.length;
    trouble.textContent = rest.join("; ");
    goToProblem(form);
  }
});

document.getElementById("end-schedule")?.addEventListener("click", async () => {
  await post(`/api/crawls/${crawl}/schedule/end`);
  location.reload();
});
