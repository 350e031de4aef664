// What becomes of a table: it is tried on a few pages, saved, or opened.

import { fill, make } from "./api.js";
import { links, shortened } from "./builder_panel.js";

function named(place) {
  if (!place) throw new Error("say where: the name of a file, such as consultations.csv");
  return place;
}

export class Outcome {
  constructor(builder) {
    this.builder = builder;
    this.tried = make("div", { id: "tried", "aria-live": "polite" });
    this.saved = make("div", { id: "saved", "aria-live": "polite" });
    this.element = make("div", {}, this.#trialPart(), this.#placePart());
  }

  tableChanged() {
    fill(this.tried);
  }

  async open(place) {
    try {
      const { rows, fields, steps, fetch } = await this.builder.api.post("/api/builder/open", { place: named(place) });
      this.place.value = place;
      this.builder.fields.set({ fields, steps });
      this.builder.view.fetch = fetch;
      this.builder.base = rows.find((cells) => cells.baseURL)?.baseURL ?? this.builder.base;
      this.builder.table.set(rows);
      this.builder.tell(`${place}: ${rows.length === 1 ? "1 row" : `${rows.length} rows`}.`, "good");
    } catch (error) {
      this.builder.tell(error.message, "bad");
    }
  }

  #options() {
    const { fields, table, view } = this.builder;
    return { rows: table.rows, fields: fields.fields, steps: fields.steps, fetch: view.fetch };
  }

  #trialPart() {
    const most = make("input", { id: "most-pages", type: "number", min: "1", max: "200", value: "20" });
    const button = make("button", { class: "primary" }, "Try it");
    const form = make("form", { class: "acts line" }, make("label", { for: "most-pages" }, "Crawl at most"), most,
      make("span", {}, "pages"), button);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      fill(this.tried, make("p", {}, "Crawling ..."));
      try {
        const trial = await this.builder.api.post("/api/builder/trial", { ...this.#options(), max_pages: Number(most.value) });
        this.builder.table.tried(trial.rows);
        fill(this.tried, ...this.#trial(trial));
      } catch (error) {
        fill(this.tried, make("p", { class: "message bad" }, error.message));
      } finally {
        button.disabled = false;
      }
    });
    return make("section", { "aria-labelledby": "try-it" }, make("h2", { id: "try-it" }, "Try it"),
      make("p", { class: "small" }, "A small crawl by the table. Nothing of it is kept."), form, this.tried);
  }

  #trial({ pages, kept, kept_count: count, records, failures, is_whole: isWhole }) {
    const end = isWhole ? "That is all there is." : "There is more: the crawl stopped at its limit.";
    const parts = [make("p", { class: "message good" }, make("strong", {}, `${links(count)} kept`), ` on ${pages === 1 ? "1 page" : `${pages} pages`}. ${end}`)];
    if (kept.length) {
      const rows = kept.map((row) => make("tr", {}, make("td", { class: "number" }, String(row.row)),
        make("td", {}, make("a", { href: row.url, rel: "noreferrer noopener", target: "_blank" }, shortened(row.url))),
        make("td", {}, row.anchor), make("td", {}, row.page_type)));
      parts.push(listed("Kept links", ["Row", "Link", "Words", "On a page of type"], rows));
    }
    if (records.length) {
      const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
      const rows = records.map((record) => make("tr", {}, ...names.map((name) => make("td", {},
        name === "url" ? shortened(record.url) : text(record[name])))));
      parts.push(listed("Fields", names, rows));
    }
    if (failures.length) {
      parts.push(make("ul", { class: "problems" }, ...failures.slice(0, 20).map(({ url, reason }) =>
        make("li", {}, `${shortened(url)}: ${reason}`))));
    }
    return parts;
  }

  #placePart() {
    this.place = make("input", { id: "place", placeholder: "consultations.csv", list: "places", autocomplete: "off", spellcheck: "false" });
    const places = make("datalist", { id: "places" });
    this.place.addEventListener("focus", () => this.#list(places), { once: true });
    const replace = make("input", { type: "checkbox" });
    const save = make("button", { type: "button", class: "primary" }, "Save");
    const open = make("button", { type: "button" }, "Open");
    save.addEventListener("click", async () => {
      fill(this.saved);
      try {
        const body = { ...this.#options(), place: named(this.place.value.trim()), replace: replace.checked };
        const saved = await this.builder.api.post("/api/builder/save", body);
        fill(this.saved, make("p", { class: "message good" }, `${saved.rules} rules written to ${saved.place}. `, "Crawl by them with"),
          make("pre", {}, saved.command), make("div", { class: "acts" }, this.#start(body)));
      } catch (error) {
        fill(this.saved, make("p", { class: "message bad" }, error.message));
      }
    });
    open.addEventListener("click", () => this.open(this.place.value.trim()));
    const buttons = [save, open, this.#download()];
    return make("section", { "aria-labelledby": "save-it" }, make("h2", { id: "save-it" }, "Save or open"),
      make("label", { for: "place" }, "Place"), this.place, places,
      make("p", { class: "small" }, "A file in the served folder (.csv, .json, .toml), sqlite:///rules.db or postgresql://host/database"),
      make("label", { class: "choice" }, replace, " replace what is there"), make("div", { class: "acts" }, ...buttons), this.saved);
  }

  /** A button that starts a crawl by the table that was saved. */
  #start({ place, fields, steps, fetch }) {
    const button = make("button", { type: "button" }, "Start the crawl");
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const options = { table: place, ...(fields.length && { extract: fields }), ...(steps.length && { step: steps }),
          ...((steps.length || fetch !== "http") && { fetch: fetch === "http" ? "browser" : fetch }) };
        const { id, name } = await this.builder.api.post("/api/crawls", { mode: "rules", options });
        const href = `${this.builder.api.address ?? ""}/crawls/${id}`;
        fill(this.saved, make("p", { class: "message good" }, "The crawl runs: ", make("a", { href, target: "_blank" }, name)));
      } catch (error) {
        button.disabled = false;
        fill(this.saved, make("p", { class: "message bad" }, error.message), button);
      }
    });
    return button;
  }

  /** The tables that are there. */
  async #list(places) {
    try {
      const { tables } = await this.builder.api.get("/api/builder/tables");
      fill(places, ...tables.map((name) => make("option", { value: name })));
    } catch (error) {
      this.builder.tell(error.message, "bad");
    }
  }

  #download() {
    const button = make("button", { type: "button" }, "Download");
    button.addEventListener("click", async () => {
      fill(this.saved);
      try {
        const name = this.place.value.trim().match(/[\w.-]+\.(csv|json|toml)$/)?.[0] ?? "rules.csv";
        const { files } = await this.builder.api.post("/api/builder/files", { ...this.#options(), name });
        for (const [file, text] of Object.entries(files)) download(file, text);
      } catch (error) {
        fill(this.saved, make("p", { class: "message bad" }, error.message));
      }
    });
    return button;
  }
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  make("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

function listed(label, heads, rows) {
  return make("div", { class: "wide listed", tabindex: "0", role: "region", "aria-label": label }, make("table", {}, make("caption", {}, label),
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...rows)));
}

function text(value) {
  return value === undefined || value === null ? "" : Array.isArray(value) ? value.join(" | ") : String(value);
}
