// The panel of the rule builder: a row is made of the links that are clicked on a page.
//
//   view    shows a page: open, show, setMode, onPick, fetch. One that `isLive` shows the page itself: read, act
//   api     asks dowse serve: get, post
//   tell    says how things stand
//   drafts  keeps the table while nobody has saved it: read, write
//
// The page of dowse serve and the extension bring their own; the panel is the same.

import { fill, make } from "./api.js";
import { choices, newType } from "./builder_choices.js";
import { FieldPanel } from "./builder_fields.js";
import { Outcome } from "./builder_outcome.js";
import { RuleTableEditor } from "./builder_table.js";

const KINDS = { follow: "Follow: visit these pages", keep: "Keep: these are results", drop: "Drop: no results" };
const MODES = {
  links: { label: "Links", clicks: "links" },
  fields: { label: "Fields", clicks: "elements" },
  steps: { label: "Steps", clicks: "elements" },
  browse: { label: "Browse", clicks: "off" },
};

/** Drafts in a storage of the browser, under a name. */
export function draftsIn(storage, name) {
  return { read: () => JSON.parse(storage.getItem(name) ?? "null"), write: (draft) => storage.setItem(name, JSON.stringify(draft)) };
}

export function startBuilder(parts) {
  return new Builder(parts);
}

class Builder {
  constructor({ panel, outcome, columns, view, api, tell, drafts }) {
    Object.assign(this, { view, api, tell, columns, drafts });
    this.base = "";
    this.page = null;
    this.pageType = "base";
    this.visited = [];
    this.alike = {};
    this.mode = "links";
    this.#clearClicks();
    this.place = make("p", { class: "small" });
    this.modes = make("div", { class: "acts", role: "group", "aria-label": "What clicks on the page mean" });
    this.rowPart = make("section", { "aria-label": "The row" });
    this.fields = new FieldPanel(this);
    fill(panel, this.place, this.modes, this.rowPart, this.fields.element);
    this.table = new RuleTableEditor(this);
    this.outcome = new Outcome(this);
    fill(outcome, this.table.element, this.fields.lists, this.outcome.element);
    view.onPick = (picked) => this.#guarded(() => this.#picked(picked));
    this.#restore();
    this.#draw();
  }

  /** Take up the table that was being made when the panel was closed. */
  #restore() {
    const draft = this.drafts.read();
    if (!draft?.rows.length) return;
    this.base = draft.base;
    this.fields.set(draft);
    this.table.set(draft.rows);
    this.tell("The table that you were making is here again.");
  }

  /** Begin with a page that the user names: it is the base URL of the rows. */
  begin(url) {
    this.base = url;
    return this.goTo(url, "base");
  }

  /** Show a page as one of a type. Without a URL it is the one that a live view shows. */
  goTo(url, type) {
    return this.#guarded(async () => {
      this.tell(`Reading ${url || "the page"} ...`);
      const steps = this.fields.stepsOf(type);
      const shown = await this.view.open({ url, base: this.base, steps });
      if (type === "base" && (!this.base || url === this.base)) this.base = shown.url;
      this.onPage?.(type);
      this.page = shown;
      this.pageType = type;
      this.visited = [...this.visited.filter((each) => each.url !== shown.url), { url: shown.url, type }];
      this.#clearClicks();
      this.setMode("links");
      this.table.draw();
      this.tell(`${shown.title || shown.url}: ${shown.links} links. Click one that you want.`, "good");
    });
  }

  openTable(place) {
    return this.outcome.open(place);
  }

  setMode(mode) {
    this.mode = mode;
    this.view.setMode(MODES[mode].clicks);
    this.view.show({});
    this.fields.reset();
    this.#draw();
  }

  /** What a table that was opened or changed means for the panel. */
  tableChanged() {
    this.outcome.tableChanged();
    this.drafts.write({ base: this.base, rows: this.table.rows, fields: this.fields.fields, steps: this.fields.steps });
    this.#draw();
  }

  /** Mark what a row of the table takes on the page. */
  showRow(cells) {
    return this.#guarded(async () => {
      const made = await this.#ask({ row: cells });
      this.view.show({ taken: made.taken });
      this.tell(`This row takes ${links(made.links)} of the page.`, "good");
      return made.urls;
    });
  }

  /** Go to the page of a follow row that was clicked for it, else to the first that it leads to. */
  stepInto(cells) {
    return this.#guarded(async () => {
      const { urls } = await this.#ask({ row: cells });
      if (!urls.length) throw new Error("the row takes no link of the page that is shown");
      const clicked = this.alike[cells.toType]?.[0];
      const chosen = urls.includes(clicked) ? clicked : urls[0];
      this.alike[cells.toType] = [chosen, ...urls.filter((url) => url !== chosen)];
      await this.goTo(chosen, cells.toType);
    });
  }

  async #picked({ number, alternative }) {
    if (this.mode !== "links") return this.fields.picked(number);
    const list = alternative ? this.unwanted : this.wanted;
    const place = list.indexOf(number);
    if (place >= 0) list.splice(place, 1); else list.push(number);
    if (!this.wanted.length) {
      this.#clearClicks();
      this.view.show({});
      return this.#draw();
    }
    await this.#make({ proposes: true });
  }

  /** Ask what the row takes with these cells, and show it. */
  async #make({ proposes = false, ...cells } = {}) {
    this.row = { ...this.row, ...cells };
    const made = await this.#ask({ row: this.#cells(), wanted: this.wanted, unwanted: this.unwanted, proposes });
    const focused = this.#focused();
    this.row = { ...this.row, pattern: made.row.pattern, id: made.row.id, class: made.row.class, tag: made.row.tag };
    if (this.row.ruleType === "follow" && !this.row.isNamed) this.row.toType = newType(this.row.pattern, made.urls, this.table.types());
    this.made = made;
    this.view.show({ taken: made.taken, wanted: this.wanted, unwanted: this.unwanted });
    this.#draw();
    focused?.()?.focus();
  }

  // What has the focus is drawn anew: how to find it again, for those who use the keyboard.
  #focused() {
    const element = this.rowPart.contains(document.activeElement) ? document.activeElement : null;
    if (!element) return undefined;
    const { id, name, value, dataset: { column, value: chosen } } = element;
    return () => [...this.rowPart.querySelectorAll("input, button")].find((each) => (id && each.id === id)
      || (name && each.name === name && each.value === value)
      || (column !== undefined && each.dataset.column === column && each.dataset.value === chosen));
  }

  #ask(body) {
    if (!this.page) throw new Error("open a page first");
    return this.api.post(`/api/builder/pages/${this.page.id}/row`, body);
  }

  #cells() {
    const { isNamed, ...cells } = this.row;
    return { ...cells, baseURL: this.base, fromType: this.pageType, toType: cells.ruleType === "follow" ? cells.toType : "" };
  }

  #clearClicks() {
    this.wanted = [];
    this.unwanted = [];
    this.made = null;
    this.row = { ruleType: "follow", toType: "", pattern: "all", id: "all", class: "all", tag: "all", isNamed: false };
  }

  #add() {
    this.table.add(this.#cells());
    this.alike[this.row.toType] = this.made.urls;
    const text = this.row.ruleType === "follow" ? "Step into one of its pages, or click the next link." : "Click the next link.";
    this.#clearClicks();
    this.view.show({});
    this.tell(`The row is in the table. ${text}`, "good");
    this.#draw();
  }

  async #guarded(act) {
    try {
      return await act();
    } catch (error) {
      this.tell(error.message, "bad");
      return undefined;
    }
  }

  // Drawing

  #draw() {
    // Only on a page itself can somebody go about; a copy leads nowhere.
    const offered = Object.entries(MODES).filter(([mode]) => mode !== "browse" || this.view.isLive);
    fill(this.modes, ...offered.map(([mode, { label }]) => {
      const button = make("button", { type: "button", "aria-pressed": String(this.mode === mode), "data-mode": mode }, label);
      button.addEventListener("click", () => { this.setMode(mode); this.modes.querySelector(`[data-mode=${mode}]`).focus(); });
      return button;
    }));
    this.modes.hidden = !this.page;
    fill(this.place, ...this.#trail());
    this.rowPart.hidden = this.mode !== "links" || !this.page;
    fill(this.rowPart, ...(this.made ? this.#rowParts() : this.#hints()));
    this.fields.draw();
  }

  #trail() {
    if (!this.page) return [];
    const others = this.visited.filter((each) => each.url !== this.page.url).slice(-6).flatMap(({ url, type }, place) => {
      const button = make("button", { type: "button", class: "link", title: url }, `${type}: ${shortened(url)}`);
      button.addEventListener("click", () => this.goTo(url, type));
      return [place ? " · " : " ", button];
    });
    return ["Page of type ", make("strong", {}, this.pageType), `: ${shortened(this.page.url)}`,
      ...(others.length ? [make("br"), "Go back to", ...others] : [])];
  }

  #hints() {
    const onward = this.table.rows.filter((cells) => cells.ruleType === "follow" && cells.fromType === this.pageType).map((cells) => {
      const button = make("button", { type: "button" }, `Step into ${cells.toType}`);
      button.addEventListener("click", () => this.stepInto(cells));
      return button;
    });
    return [make("p", {}, "Click a link on the page. Links that the row would take are marked green."),
      make("p", { class: "small" }, "Click a second or third link, and the row is learned from all of them. ",
        "Shift and a click mean: not this one."),
      ...(onward.length ? [make("p", {}, "Or go on to a page that the table leads to:"), make("div", { class: "acts" }, ...onward)] : [])];
  }

  #rowParts() {
    const kinds = Object.entries(KINDS).map(([kind, label]) => {
      const input = make("input", { type: "radio", name: "rule-type", value: kind, checked: this.row.ruleType === kind });
      input.addEventListener("change", () => this.#guarded(() => this.#make({ ruleType: kind })));
      return make("label", { class: "choice" }, input, ` ${label}`);
    });
    const count = make("p", { class: "count", role: "status" }, make("strong", {}, links(this.made.links)),
      ` taken, ${this.wanted.length} clicked`, this.unwanted.length ? `, ${this.unwanted.length} refused` : "");
    const add = make("button", { type: "button", class: "primary" }, "Add row");
    add.addEventListener("click", () => this.#add());
    const clear = make("button", { type: "button" }, "Start over");
    clear.addEventListener("click", () => { this.#clearClicks(); this.view.show({}); this.#draw(); });
    const choose = (cells) => this.#guarded(() => this.#make(cells));
    return [count, make("fieldset", {}, make("legend", {}, "What to do with them"), ...kinds, ...this.#typeName()),
      make("div", { class: "acts" }, add, clear), choices("Only links inside", this.made.scopes, choose),
      choices("Only addresses with", this.made.patterns, choose), this.#ownPattern()];
  }

  #typeName() {
    if (this.row.ruleType !== "follow") return [];
    const input = make("input", { id: "to-type", value: this.row.toType, list: "page-types", autocomplete: "off" });
    input.addEventListener("input", () => { this.row.toType = input.value.trim(); this.row.isNamed = true; });
    const known = make("datalist", { id: "page-types" }, ...this.table.types().map((name) => make("option", { value: name })));
    return [make("label", { for: "to-type" }, "Call these pages"), input, known];
  }

  #ownPattern() {
    const input = make("input", { id: "own-pattern", value: this.row.pattern === "all" ? "" : this.row.pattern,
      spellcheck: "false", autocomplete: "off" });
    input.addEventListener("change", () => this.#guarded(() => this.#make({ pattern: input.value.trim() || "all" })));
    return make("p", {}, make("label", { for: "own-pattern" }, "Pattern, to change by hand"), input);
  }
}

export function links(count) {
  return count === 1 ? "1 link" : `${count} links`;
}

export function shortened(url) {
  const text = url.replace(/^https?:\/\//, "");
  return text.length > 60 ? `${text.slice(0, 30)}…${text.slice(-28)}` : text;
}
