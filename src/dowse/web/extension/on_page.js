// On the page of a tab: read it, let the panel point at it, and let go of it when the panel is closed.

(() => {
  "use strict";

  const WAIT = 700;
  const MOST_CLICKS = 20;
  const key = crypto.randomUUID();
  const { html, elements } = globalThis.dowsePicker.snapshot();
  const numbers = new Map(elements.map((element, number) => [element, number]));
  const pause = () => new Promise((resolve) => { setTimeout(resolve, WAIT); });

  async function read(url) {
    const answer = await fetch(url, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.text();
  }

  function isShown(element) {
    return element.isConnected && element.getClientRects().length > 0 && !element.disabled;
  }

  async function act(verb, element) {
    if (verb === "hover") {
      for (const name of ["pointerover", "mouseover", "mouseenter", "mousemove"]) {
        element.dispatchEvent(new MouseEvent(name, { bubbles: name !== "mouseenter", view: window }));
      }
    }
    for (let count = 0; verb.startsWith("click") && count < (verb === "click" ? 1 : MOST_CLICKS) && isShown(element); count += 1) {
      const before = document.querySelectorAll("*").length;
      element.click();
      await pause();
      if (document.querySelectorAll("*").length === before) break;
    }
    await pause();
  }

  function serve(port) {
    const picker = globalThis.dowsePicker.makePicker({
      numberOf: (element) => numbers.get(element) ?? null,
      elementOf: (number) => elements[number],
      send: (message) => port.postMessage(message),
    });
    const answer = (id, value) => value.then(
      (found) => port.postMessage({ kind: "answer", id, value: found }),
      (error) => port.postMessage({ kind: "answer", id, trouble: error.message }),
    );
    port.onMessage.addListener(({ kind, id, mode, marks, url, verb, number }) => {
      if (kind === "mode") picker.setMode(mode);
      if (kind === "show") picker.show(marks);
      if (kind === "read") answer(id, read(url));
      if (kind === "act") {
        picker.setMode("off");
        answer(id, act(verb, elements[number]));
      }
    });
    port.onDisconnect.addListener(() => picker.stop());
    port.postMessage({ kind: "answer", id: 0 }); // clicks point now
  }

  chrome.runtime.onConnect.addListener(function connected(port) {
    if (port.name !== key) return;
    chrome.runtime.onConnect.removeListener(connected);
    serve(port);
  });

  return { key, url: location.href, html };
})();
