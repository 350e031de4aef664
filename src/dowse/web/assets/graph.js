// The link graph: moved, zoomed, and filtered by type and score. The server has drawn it.

const svg = document.getElementById("graph");
const pointed = document.getElementById("pointed");

if (svg) {
  const whole = { x: 0, y: 0, width: Number(svg.dataset.width), height: Number(svg.dataset.height) };
  const view = { ...whole };
  const nodes = [...svg.querySelectorAll(".circles a")];
  const lines = [...svg.querySelectorAll(".links line")];
  const ends = lines.map((line) => line.dataset.ends.split(" ").map(Number));

  const show = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);

  function zoom(factor, at = { x: view.x + view.width / 2, y: view.y + view.height / 2 }) {
    const width = Math.min(Math.max(view.width / factor, whole.width / 30), whole.width * 1.5);
    const scale = width / view.width;
    view.x = at.x - (at.x - view.x) * scale;
    view.y = at.y - (at.y - view.y) * scale;
    view.width = width;
    view.height *= scale;
    show();
  }

  function place(event) {
    const box = svg.getBoundingClientRect();
    return {
      x: view.x + ((event.clientX - box.left) / box.width) * view.width,
      y: view.y + ((event.clientY - box.top) / box.height) * view.height,
    };
  }

  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => {
      const factor = Number(button.dataset.zoom);
      if (factor) zoom(factor);
      else show(Object.assign(view, whole));
    });
  }
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, place(event));
  }, { passive: false });

  let held = null;
  svg.addEventListener("pointerdown", (event) => { held = { ...place(event), moved: false }; });
  window.addEventListener("pointermove", (event) => {
    if (!held) return;
    const now = place(event);
    if (Math.hypot(now.x - held.x, now.y - held.y) > view.width / 200) held.moved = true;
    view.x -= now.x - held.x;
    view.y -= now.y - held.y;
    show();
  });
  window.addEventListener("pointerup", () => {
    if (held?.moved) svg.addEventListener("click", (event) => event.preventDefault(), { once: true, capture: true });
    held = null;
  });
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  svg.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.4 : 1 / 1.4);
    else if (moves[event.key]) {
      view.x += moves[event.key][0] * view.width * 0.1;
      view.y += moves[event.key][1] * view.height * 0.1;
      show();
    } else return;
    event.preventDefault();
  });

  function pointAt(number) {
    const node = nodes[number];
    pointed.textContent = node ? node.querySelector("title").textContent : "\u00a0";
    lines.forEach((line, index) => line.classList.toggle("near", node !== undefined && ends[index].includes(number)));
  }
  nodes.forEach((node, number) => {
    for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => pointAt(number));
    for (const name of ["pointerleave", "blur"]) node.addEventListener(name, () => pointAt(undefined));
  });

  const kind = document.getElementById("kind");
  const least = document.getElementById("least");
  function filter() {
    const off = nodes.map((node) => Boolean((kind.value && node.dataset.kind !== kind.value)
      || (least && Number(node.dataset.score || 0) < Number(least.value))));
    nodes.forEach((node, number) => node.classList.toggle("off", off[number]));
    lines.forEach((line, index) => line.classList.toggle("off", ends[index].some((end) => off[end])));
    if (least) document.getElementById("least-shown").textContent = least.value;
  }
  kind.addEventListener("change", filter);
  least?.addEventListener("input", filter);
  document.getElementById("most").addEventListener("change", (event) => {
    location.search = `?most=${event.target.value}`;
  });
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
}
