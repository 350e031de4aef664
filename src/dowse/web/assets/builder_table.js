// The table of the rule builder: cells to edit, what is wrong with them, and the graph of page types.

import { fill, make } from "./api.js";

const LIMITS = ["pattern", "id", "class", "tag"];
const SHORT = { baseURL: "Base URL", ruleType: "Rule", fromType: "From type", toType: "To type", pattern: "Pattern", id: "Id",
  class: "Class", tag: "Tag", filterField: "Filter field", filterValue: "Filter value" };
const SELDOM = ["filterField", "filterValue"];
const WAIT = 250;

export class RuleTableEditor {
  constructor(builder) {
    this.builder = builder;
    this.rows = [];
    this.trials = {};
    this.body = make("tbody");
    this.problems = make("ul", { class: "problems", "aria-label": "What is wrong with the table" });
    this.graph = make("div", { class: "wide graph", tabindex: "0", role: "region", "aria-label": "The graph of page types" });
    const heads = [...builder.columns, "found"];
    const table = this.table = make("table", { class: "rules" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Row"),
        ...heads.map((name) => make("th", { scope: "col", class: `of-${name}` }, SHORT[name] ?? "Links")),
        make("th", { scope: "col" }, "Do"))), this.body);
    const empty = make("button", { type: "button" }, "Empty the table");
    empty.addEventListener("click", () => { builder.fields.set({ fields: [], steps: [] }); this.set([]); });
    const filters = make("button", { type: "button", "aria-pressed": "false" }, "Filter columns");
    filters.addEventListener("click", () => {
      const isOn = this.table.classList.toggle("has-filters");
      filters.setAttribute("aria-pressed", String(isOn));
    });
    const more = make("button", { type: "button" }, "Add an empty row");
    more.addEventListener("click", () => this.add({ baseURL: builder.base, ruleType: "keep", fromType: builder.pageType }));
    this.element = make("section", { "aria-labelledby": "the-table" }, make("h2", { id: "the-table" }, "The table"),
      make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Rules" }, table), this.problems,
      make("div", { class: "acts" }, more, filters, empty), make("h2", {}, "Page types"), this.graph);
    this.draw();
  }

  add(cells) {
    this.rows.push(Object.fromEntries(this.builder.columns.map((name) => [name, cells[name] ?? (LIMITS.includes(name) ? "all" : "")])));
    this.changed();
  }

  set(rows) {
    this.rows = [];
    this.trials = {};
    for (const cells of rows) {
      this.rows.push(Object.fromEntries(this.builder.columns.map((name) => [name, cells[name] ?? ""])));
    }
    this.changed();
  }

  /** The page types that rows lead to. */
  types() {
    return [...new Set(this.rows.map((cells) => cells.toType).filter(Boolean))];
  }

  /** What a trial found for each row. */
  tried(rows) {
    this.trials = Object.fromEntries(rows.map((each) => [each.row, each]));
    this.draw();
  }

  changed() {
    this.trials = {};
    this.draw();
    this.check();
    this.builder.tableChanged();
  }

  /** Ask what is wrong with the table; while somebody types, only when they pause. */
  check() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      try {
        const seen = await this.builder.api.post("/api/builder/table", { rows: this.rows });
        this.#mark(seen.problems);
      } catch (error) {
        this.builder.tell(error.message, "bad");
      }
    }, WAIT);
  }

  #mark(problems) {
    for (const input of this.body.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    for (const { row, column, is_error: isError } of problems) {
      const input = this.body.querySelector(`[data-row="${row}"][data-column="${column}"]`);
      if (input && isError) input.setAttribute("aria-invalid", "true");
    }
    fill(this.problems, ...problems.map(({ text, row, column, is_error: isError }) => make("li", { class: isError ? "bad" : "" },
      make("strong", {}, isError ? "Error" : "Note"), row ? ` in row ${row}${column ? `, ${SHORT[column] ?? column}` : ""}: ${text}` : `: ${text}`)));
    this.element.dataset.checked = String(problems.filter((each) => each.is_error).length);
  }

  /** Draw the rows anew; which of them can be shown depends on the page that is there. */
  draw() {
    this.table.classList.toggle("needs-filters", this.rows.some((cells) => SELDOM.some((name) => cells[name])));
    fill(this.body, ...this.rows.map((cells, place) => this.#row(cells, place)));
    if (!this.rows.length) {
      fill(this.body, make("tr", {}, make("td", { colspan: String(this.builder.columns.length + 3), class: "small" },
        make("span", { class: "none" }, "No row yet. Clicks on the page make rows; a table that is there can be opened below."))));
    }
    this.#drawGraph();
  }

  #row(cells, place) {
    const number = place + 1;
    const inputs = this.builder.columns.map((name) => {
      const cell = name === "ruleType" ? this.#kind(cells, number) : this.#cell(cells, name, number);
      return make("td", { class: `of-${name}` }, cell);
    });
    const trial = this.trials[number];
    const found = make("td", { class: "number" }, trial ? `${trial.links} on ${trial.pages}` : "");
    const acts = [["Show", () => this.builder.showRow(cells)],
      ...(cells.ruleType === "follow" ? [["Step into", () => this.builder.stepInto(cells)]] : []),
      ["Remove", () => { this.rows.splice(place, 1); this.changed(); }]];
    const isHere = this.builder.page && cells.fromType === this.builder.pageType;
    return make("tr", {}, make("th", { scope: "row" }, String(number)), ...inputs, found,
      make("td", { class: "acts" }, ...acts.map(([label, act]) => {
        const button = make("button", { type: "button", "aria-label": `${label} row ${number}`,
          disabled: label !== "Remove" && !isHere }, label);
        button.addEventListener("click", act);
        return button;
      })));
  }

  #cell(cells, name, number) {
    const input = make("input", { value: cells[name], "aria-label": `${SHORT[name] ?? name} of row ${number}`, "data-row": number,
      "data-column": name, spellcheck: "false", autocomplete: "off" });
    input.addEventListener("input", () => { cells[name] = input.value; this.check(); this.#drawGraph(); });
    input.addEventListener("change", () => this.builder.tableChanged());
    return input;
  }

  #kind(cells, number) {
    const options = ["follow", "keep", "drop"].map((kind) => make("option", { selected: cells.ruleType === kind }, kind));
    const select = make("select", { "aria-label": `Rule of row ${number}`, "data-row": number, "data-column": "ruleType" }, ...options);
    select.addEventListener("change", () => { cells.ruleType = select.value; this.changed(); });
    return select;
  }

  #drawGraph() {
    fill(this.graph, this.rows.length ? drawTypes(this.rows) : make("p", { class: "small" }, "It grows with the table."));
  }
}

// The graph: a column for each step from the base, a box for each page type

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 150, HIGH = 58, BETWEEN = 90, BELOW = 26, EDGE = 12;

function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function levels(rows) {
  const found = new Map([["base", 0]]);
  const waiting = ["base"];
  while (waiting.length) {
    const from = waiting.shift();
    for (const { ruleType, fromType, toType } of rows) {
      if (ruleType === "follow" && fromType === from && toType && !found.has(toType)) {
        found.set(toType, found.get(from) + 1);
        waiting.push(toType);
      }
    }
  }
  const last = Math.max(...found.values());
  for (const { fromType } of rows) if (fromType && !found.has(fromType)) found.set(fromType, last + 1);
  return found;
}

function drawTypes(rows) {
  const depth = levels(rows);
  const places = new Map();
  const filled = [];
  for (const [name, level] of depth) {
    filled[level] = (filled[level] ?? 0) + 1;
    places.set(name, { x: EDGE + level * (WIDE + BETWEEN), y: EDGE + BELOW + (filled[level] - 1) * (HIGH + BELOW) });
  }
  const width = 2 * EDGE + (Math.max(...depth.values()) + 1) * (WIDE + BETWEEN) - BETWEEN + 30;
  const height = 2 * EDGE + BELOW + Math.max(...filled.filter(Boolean)) * (HIGH + BELOW);
  const said = rows.filter((each) => each.ruleType === "follow").map((each) => `${each.fromType} leads to ${each.toType}`);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `Page types. ${said.join(", ") || "Only the base"}` });
  rows.forEach((row, place) => {
    const from = places.get(row.fromType), to = places.get(row.toType);
    if (row.ruleType === "follow" && from && to) svg.append(...arrow(from, to, place + 1));
  });
  for (const [name, { x, y }] of places) svg.append(...box(name, x, y, rows));
  return svg;
}

function arrow(from, to, number) {
  const isOnward = to.x > from.x;
  const start = isOnward ? [from.x + WIDE, from.y + HIGH / 2] : [from.x + WIDE * 0.7, from.y];
  const end = isOnward ? [to.x, to.y + HIGH / 2] : [to.x + WIDE * 0.3, to.y];
  const bend = isOnward ? `C ${start[0] + 40} ${start[1]}, ${end[0] - 40} ${end[1]}` : `C ${start[0]} ${start[1] - 34}, ${end[0]} ${end[1] - 34}`;
  const tip = isOnward ? `M ${end[0] - 8} ${end[1] - 5} L ${end[0]} ${end[1]} L ${end[0] - 8} ${end[1] + 5}`
    : `M ${end[0] - 5} ${end[1] - 8} L ${end[0]} ${end[1]} L ${end[0] + 5} ${end[1] - 8}`;
  const label = drawn("text", { x: (start[0] + end[0]) / 2, y: (start[1] + end[1]) / 2 - (isOnward ? 8 : 20), "text-anchor": "middle" },
    `row ${number}`);
  return [drawn("path", { class: "arrow", d: `M ${start.join(" ")} ${bend}, ${end.join(" ")} ${tip}` }), label];
}

function box(name, x, y, rows) {
  const keeping = rows.flatMap((row, place) => (row.ruleType === "keep" && row.fromType === name ? [place + 1] : []));
  const text = drawn("text", { class: "name", x: x + 10, y: y + 24 }, name.length > 17 ? `${name.slice(0, 16)}…` : name);
  const words = keeping.length ? `keeps links: row ${keeping.join(", ")}` : "keeps nothing";
  return [drawn("rect", { class: keeping.length ? "keeps" : "", x, y, width: WIDE, height: HIGH, rx: 6 }), text,
    drawn("text", { class: "keeping", x: x + 10, y: y + 44 }, words)];
}
