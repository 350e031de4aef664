// Points at elements of a page: what is under the pointer is outlined, a click says which element it is, and the elements
// that a row or a field takes are marked. One file without dependencies, for the frame of the rule builder and for the
// extension, which has no frame and points at the page itself.
//
// Elements are known by number. In the frame each has it in an attribute. On a page of the web `snapshot` gives them.

(() => {
  "use strict";

  const NUMBER = "data-dowse";
  const TARGET = "data-dowse-url";
  const MARK = "data-dowse-mark";
  const LONGEST = 80;
  const LINKS = "a[href], area[href], a[*|href], [data-dowse-url]";
  // Outlines move nothing. Both colours show on light and on dark pages.
  const STYLE = `
    [${MARK}~="taken"] { outline: 2px solid #1f8a4c !important; outline-offset: 1px !important;
      background-color: rgba(60, 190, 110, .22) !important; }
    [${MARK}~="hover"] { outline: 3px solid #e0a800 !important; outline-offset: 2px !important; cursor: crosshair !important; }
    [${MARK}~="wanted"] { outline: 3px solid #0b6fc2 !important; outline-offset: 2px !important; }
    [${MARK}~="unwanted"] { outline: 3px dashed #c8501e !important; outline-offset: 2px !important; }
  `;
  // What would do something on the page if it came through.
  const HELD = ["mousedown", "mouseup", "pointerdown", "pointerup", "auxclick", "dblclick", "submit", "dragstart",
    "contextmenu", "touchstart", "touchend"];

  /** `numberOf` and `elementOf` know the numbers, `send` is told what is picked. */
  function makePicker({ numberOf, elementOf, send }) {
    let mode = "links";
    let hovered = null;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

    function meant(element) {
      if (!(element instanceof Element)) return null;
      return mode === "links" ? element.closest(LINKS) : element;
    }

    function mark(element, word, isOn) {
      const words = new Set((element.getAttribute(MARK) ?? "").split(" ").filter(Boolean));
      if (isOn) words.add(word); else words.delete(word);
      if (words.size) element.setAttribute(MARK, [...words].join(" ")); else element.removeAttribute(MARK);
    }

    function hover(element) {
      if (element === hovered) return;
      if (hovered) mark(hovered, "hover", false);
      hovered = element;
      if (element) mark(element, "hover", true);
      send({ kind: "hover", text: element ? said(element) : "" });
    }

    // Where a link leads; what an element is, and its first words.
    function said(element) {
      const written = element.getAttribute(TARGET) ?? element.href; // links in drawings have an object there
      if (mode === "links") return typeof written === "string" ? written : "";
      return `${element.localName}: ${element.textContent.trim().replace(/\s+/g, " ").slice(0, LONGEST)}`;
    }

    // Elements are pointed at with the arrow keys too: up to what is around one, down into it, left and right along it.
    function steer(event) {
      if (mode !== "elements" || !event.isTrusted || event.ctrlKey || event.metaKey || event.altKey) return;
      const from = hovered ?? document.body;
      const ways = { ArrowUp: from.parentElement, ArrowDown: from.firstElementChild,
        ArrowLeft: from.previousElementSibling, ArrowRight: from.nextElementSibling };
      if (event.key in ways) {
        hold(event);
        const next = ways[event.key];
        if (!next || !document.body.contains(next)) return;
        hover(next);
        next.scrollIntoView({ block: "nearest" });
      } else if (event.key === "Enter" && hovered) {
        hold(event);
        tell(hovered, event);
      }
    }

    // Only what the user does is held: scripts of a page go on as they would, and cannot pick anything.
    function hold(event) {
      if (mode === "off" || !event.isTrusted) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }

    function pick(event) {
      if (mode === "off" || !event.isTrusted) return;
      hold(event);
      const element = meant(event.composedPath()[0]);
      if (element) tell(element, event);
    }

    function tell(element, event) {
      const number = numberOf(element);
      if (number !== null) send({ kind: "pick", number, alternative: event.altKey || event.shiftKey });
    }

    const listeners = [
      ["mouseover", (event) => mode !== "off" && hover(meant(event.composedPath()[0]))],
      ["focusin", (event) => mode !== "off" && hover(meant(event.composedPath()[0]))],
      ["mouseout", (event) => event.relatedTarget === null && hover(null)],
      ["click", pick],
      ["keydown", steer],
      ...HELD.map((name) => [name, hold]),
    ];
    for (const [name, listener] of listeners) window.addEventListener(name, listener, { capture: true, passive: false });

    return {
      setMode(next) {
        mode = next;
        hover(null);
        // Who goes on with the keyboard begins at the link that they are on.
        const focused = document.hasFocus() ? document.activeElement : null;
        if (mode !== "off" && focused !== document.body) hover(meant(focused));
      },
      /** Mark elements by number: {taken: [...], wanted: [...], unwanted: [...]}. */
      show(marks) {
        for (const element of document.querySelectorAll(`[${MARK}]`)) element.removeAttribute(MARK);
        if (hovered) mark(hovered, "hover", true);
        for (const word of ["taken", "wanted", "unwanted"]) {
          for (const number of marks[word] ?? []) {
            const element = elementOf(number);
            if (element) mark(element, word, true);
          }
        }
      },
      stop() {
        mode = "off";
        hovered = null;
        this.show({});
        for (const [name, listener] of listeners) window.removeEventListener(name, listener, { capture: true });
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
      },
    };
  }

  /** In the frame: the page around it is told, and nobody else is listened to. `key` is known to both of them alone. */
  function inFrame({ key, origin }) {
    const send = (message) => parent.postMessage({ key, ...message }, origin);
    const picker = makePicker({
      numberOf: (element) => {
        const number = Number.parseInt(element.getAttribute(NUMBER), 10);
        return Number.isNaN(number) ? null : number;
      },
      elementOf: (number) => document.querySelector(`[${NUMBER}="${Number(number)}"]`),
      send,
    });
    window.addEventListener("message", (event) => {
      if (event.source !== parent || event.origin !== origin || event.data?.key !== key) return;
      if (event.data.kind === "mode") picker.setMode(event.data.mode);
      if (event.data.kind === "show") picker.show(event.data.marks);
    });
    send({ kind: "ready" });
  }

  /** The page as it stands, with numbers in its tags, and the elements that these numbers mean. */
  function snapshot() {
    const inert = document.implementation.createHTMLDocument("");
    const copy = inert.importNode(document.documentElement, true);
    const elements = [document.documentElement, ...document.documentElement.querySelectorAll("*")];
    const copies = [copy, ...copy.querySelectorAll("*")];
    copies.forEach((each, number) => {
      each.setAttribute(NUMBER, String(number));
      each.removeAttribute(MARK);
    });
    // What runs, and what the user typed, is nothing that a row is made of.
    for (const each of copy.querySelectorAll("script")) each.remove();
    for (const each of copy.querySelectorAll("input[value], textarea")) {
      each.removeAttribute("value");
      if (each.localName === "textarea") each.textContent = "";
    }
    return { html: `<!doctype html>${copy.outerHTML}`, elements };
  }

  globalThis.dowsePicker = { makePicker, inFrame, snapshot };
})();
