// The field picker and the steps of the rule builder: both are made of elements that are clicked on the page.

import { fill, make } from "./api.js";

const MOST_OTHERS = 8;
const TYPES = ["text", "number", "date", "url", "html"];
const ACTS = { click: "Click it once", "click-until-gone": "Click it until it is gone (load more)", hover: "Hover over it (menus)",
  wait: "Wait for it" };

export class FieldPanel {
  constructor(builder) {
    this.builder = builder;
    this.fields = []; // as they are written for --extract
    this.steps = []; // as they are written for --step
    this.element = make("section", { "aria-label": "Fields and steps" });
    this.lists = make("section", { "aria-label": "Fields and steps of the table" });
    this.reset();
  }

  reset() {
    this.picks = [];
    this.around = 0;
    this.offers = null;
    this.field = null;
    this.column = null;
  }

  /** The steps for pages of a type. */
  stepsOf(type) {
    return this.steps.filter((step) => step.startsWith(`type:${type} => `));
  }

  /** Take fields and steps of a table that was opened. */
  set({ fields, steps }) {
    this.fields = fields;
    this.steps = steps;
    this.draw();
  }

  async picked(number) {
    const { builder } = this;
    const place = this.picks.indexOf(number);
    if (builder.mode === "steps") this.picks = [number];
    else if (place >= 0) this.picks.splice(place, 1);
    else this.picks.push(number);
    this.around = 0;
    if (!this.picks.length) {
      this.reset();
      builder.view.show({});
      return this.draw();
    }
    await this.#offer();
  }

  /** Ask what finds the picked elements, or those around them. */
  async #offer() {
    const { builder } = this;
    const body = { picked: this.picks, around: this.around };
    this.offers = await builder.api.post(`/api/builder/pages/${builder.page.id}/field`, body);
    const name = this.field?.name ?? this.#newName();
    this.field = { name, type: "text", many: this.offers.is_list, selector: this.offers.selectors[0]?.selector ?? "", attribute: "" };
    await (builder.mode === "fields" ? this.#fill() : this.#mark());
  }

  #newName() {
    const taken = new Set(this.fields.map(nameOf));
    for (let number = 1; ; number += 1) if (!taken.has(`field${number}`)) return `field${number}`;
  }

  #mark() {
    this.builder.view.show({ wanted: this.offers.picked });
    this.draw();
  }

  /** Fill the column: from the page that is shown, and from other pages of its type. */
  async #fill() {
    const { builder } = this;
    const urls = (builder.alike[builder.pageType] ?? []).filter((url) => url !== builder.page.url).slice(0, MOST_OTHERS);
    const fields = [written(this.field)];
    const column = await this.#columnOf({ fields, urls: builder.view.isLive ? [] : urls });
    if (builder.view.isLive && !column.problems.length) column.rows.push(...await this.#brought(urls, fields));
    this.column = column;
    builder.view.show({ taken: column.taken, wanted: this.offers.picked });
    if (column.problems.length) builder.tell(column.problems.join("; "), "bad");
    this.draw();
  }

  #columnOf(body) {
    return this.builder.api.post(`/api/builder/pages/${this.builder.page.id}/column`, body);
  }

  /** The same of pages that only this browser can have, as it may be logged in. */
  async #brought(urls, fields) {
    return Promise.all(urls.map(async (url) => {
      try {
        const html = await this.builder.view.read(url);
        return (await this.#columnOf({ fields, brought: [{ url, html }] })).rows[1];
      } catch (error) {
        return { url, values: {}, trouble: error.message };
      }
    }));
  }

  async #change(cells, act = () => this.#fill()) {
    Object.assign(this.field, cells);
    const focused = this.element.contains(document.activeElement) ? document.activeElement.id : "";
    try {
      await act();
    } catch (error) {
      this.builder.tell(error.message, "bad");
    }
    if (focused) document.getElementById(focused)?.focus();
  }

  // Drawing

  draw() {
    fill(this.lists, ...this.#listed("Fields", this.fields), ...this.#listed("Steps before pages are read", this.steps));
    const { mode, page } = this.builder;
    this.element.hidden = mode === "links" || !page;
    if (this.element.hidden) return;
    fill(this.element, ...(mode === "fields" ? this.#fieldParts() : this.#stepParts()));
  }

  #listed(title, texts) {
    const lines = texts.map((text, place) => {
      const button = make("button", { type: "button", class: "link", "aria-label": `Remove ${text}` }, "remove");
      button.addEventListener("click", () => { texts.splice(place, 1); this.builder.tableChanged(); });
      return make("li", {}, make("code", {}, text), " ", button);
    });
    return lines.length ? [make("h2", {}, title), make("ol", {}, ...lines)] : [];
  }

  #fieldParts() {
    const hint = make("p", {}, "Click what you want of the page: a title, a date, a price. Click a second one like it, and all in ",
      "such places are taken. With the keyboard: arrow keys and Enter.");
    return [hint, ...(this.field ? this.#fieldForm() : [])];
  }

  #fieldForm() {
    const field = this.field;
    const name = make("input", { id: "field-name", value: field.name, autocomplete: "off" });
    name.addEventListener("change", () => this.#change({ name: name.value.trim() || field.name }));
    const type = make("select", { id: "field-type" }, ...TYPES.map((each) => make("option", { selected: each === field.type }, each)));
    type.addEventListener("change", () => this.#change({ type: type.value }));
    const many = make("input", { id: "field-many", type: "checkbox", checked: field.many });
    many.addEventListener("change", () => this.#change({ many: many.checked }));
    const own = make("input", { id: "field-selector", value: field.selector, spellcheck: "false", autocomplete: "off" });
    own.addEventListener("change", () => this.#change({ selector: own.value.trim() }));
    const add = make("button", { type: "button", class: "primary" }, "Add field");
    add.addEventListener("click", () => this.#add());
    return [make("label", { for: "field-name" }, "Name"), name, make("label", { for: "field-type" }, "Holds"), type,
      make("label", { class: "choice" }, many, " all matches, as a list"), make("div", { class: "acts" }, add),
      this.#selectors(), this.#wider(), this.#attributes(), this.#filled(),
      make("p", {}, make("label", { for: "field-selector" }, "Selector, to change by hand"), own)];
  }

  #selectors() {
    const buttons = this.offers.selectors.map(({ selector, matches }) => {
      const button = make("button", { type: "button", class: "offer", "aria-pressed": String(selector === this.field.selector) },
        make("span", {}, selector), make("span", { class: "number" }, String(matches)));
      button.addEventListener("click", () => this.#change({ selector }));
      return button;
    });
    return make("fieldset", {}, make("legend", {}, "Found by"), make("div", { class: "offers" }, ...buttons));
  }

  #wider() {
    const buttons = [["wider", "The element around it", 1], ["narrower", "Back in", -1]].map(([id, label, step]) => {
      const button = make("button", { type: "button", id, disabled: this.around + step < 0 }, label);
      button.addEventListener("click", () => { this.around += step; this.#change({}, () => this.#offer()); });
      return button;
    });
    return make("div", { class: "acts" }, ...buttons);
  }

  #attributes() {
    if (!this.offers.attributes.length) return "";
    const buttons = ["", ...this.offers.attributes].map((attribute) => {
      const button = make("button", { type: "button", class: "offer", "aria-pressed": String(attribute === this.field.attribute) },
        attribute ? `attribute ${attribute}` : "its text");
      button.addEventListener("click", () => this.#change({ attribute, ...(attribute === "href" ? { type: "url" } : {}) }));
      return button;
    });
    return make("fieldset", {}, make("legend", {}, "Of it"), make("div", { class: "offers" }, ...buttons));
  }

  #filled() {
    if (!this.column) return "";
    const rows = this.column.rows.map(({ url, values, trouble }) => {
      const value = values[this.field.name];
      const text = trouble || (value === undefined ? "nothing" : Array.isArray(value) ? value.join(" | ") : String(value));
      return make("tr", {}, make("th", { scope: "row", title: url }, lastPart(url)),
        make("td", { class: value === undefined ? "small" : "" }, text.slice(0, 300)));
    });
    const found = this.column.rows.filter(({ values }) => values[this.field.name] !== undefined).length;
    return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "The column" },
      make("table", { class: "column" }, make("caption", {}, `Found on ${found} of ${this.column.rows.length} pages`),
        make("tbody", { id: "column" }, ...rows)));
  }

  #add() {
    this.fields = [...this.fields.filter((each) => nameOf(each) !== this.field.name), written(this.field)];
    this.reset();
    this.builder.view.show({});
    this.builder.tableChanged();
  }

  #stepParts() {
    const hint = make("p", {}, "Click what has to be pressed before the page shows all: “load more”, a tab, a menu. The step ",
      "becomes one of this page type, and pages are fetched by Chromium then.");
    return [hint, ...(this.field ? this.#stepForm() : [])];
  }

  #stepForm() {
    const selectors = this.offers.selectors.map(({ selector }) => selector).filter((each) => each.startsWith("css:"));
    const select = make("select", { id: "step-selector" }, ...selectors.map((each) => make("option", {}, each.slice(4))));
    const buttons = Object.entries(ACTS).map(([verb, label]) => {
      const button = make("button", { type: "button" }, label);
      button.addEventListener("click", () => this.#addStep(verb, select.value));
      return button;
    });
    return [make("label", { for: "step-selector" }, "Element"), select, this.#wider(), make("div", { class: "acts" }, ...buttons)];
  }

  /** The step becomes one of the page type, and is taken at once: by the browser of the server, or on the page itself. */
  async #addStep(verb, selector) {
    const { builder } = this;
    const [number] = this.offers.picked;
    this.steps.push(`type:${builder.pageType} => ${verb} ${selector}`);
    builder.tableChanged();
    if (builder.view.isLive) await builder.view.act(verb, number);
    await builder.goTo(builder.page.url, builder.pageType);
    builder.setMode("steps");
  }
}

function written({ name, type, many, selector, attribute }) {
  const isCss = selector.startsWith("css:");
  const taken = attribute ? `${selector}${isCss ? "" : "/"}@${attribute}` : selector;
  return `${name}${type === "text" ? "" : `:${type}`}${many ? "[]" : ""}=${taken}`;
}

function nameOf(field) {
  return field.match(/^[^=:[]*/)[0];
}

function lastPart(url) {
  return url.replace(/^https?:\/\/[^/]*/, "").match(/[^/]*\/?$/)[0] || "/";
}
