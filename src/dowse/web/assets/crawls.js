// The list of crawls: its numbers are asked for again while something runs, and the demonstration is started here.

import { get, post } from "./api.js";

const table = document.getElementById("crawls");
const demo = document.getElementById("demo");

async function refresh() {
  const { crawls } = await get("/api/crawls");
  const rows = new Map([...table.querySelectorAll("tr[data-crawl]")].map((row) => [row.dataset.crawl, row]));
  if (crawls.length !== rows.size || crawls.some((crawl) => !rows.has(crawl.id))) {
    location.reload();
    return;
  }
  for (const crawl of crawls) {
    for (const cell of rows.get(crawl.id).querySelectorAll("[data-field]")) {
      const value = crawl[cell.dataset.field];
      cell.textContent = typeof value === "number" ? value.toLocaleString("en") : value;
      if (cell.dataset.field === "state") cell.className = `badge ${value}`;
    }
  }
}

if (table) {
  setInterval(() => { if (!document.hidden) refresh().catch(() => {}); }, 2000);
}

demo?.addEventListener("click", async () => {
  const trouble = document.getElementById("trouble");
  demo.disabled = true;
  demo.textContent = "Starting…";
  try {
    location.assign(`/crawls/${(await post("/api/demo")).id}`);
  } catch (error) {
    trouble.textContent = error.message;
    trouble.hidden = false;
    demo.disabled = false;
    demo.textContent = "Try the demonstration";
  }
});
