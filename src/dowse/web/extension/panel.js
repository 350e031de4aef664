// The panel of the extension: the one of the web page, with the page of a tab in the place of a copy.

import { draftsIn, startBuilder } from "./builder_panel.js";
import { Connection } from "./connection.js";
import { TabView } from "./tab_view.js";

const connecting = document.getElementById("connection");
const reading = document.getElementById("reading");
const status = document.getElementById("status");
const connection = new Connection();

function tell(text, kind = "") {
  status.hidden = !text;
  status.textContent = text;
  status.className = `message ${kind}`;
}

function begin(columns) {
  const tab = Number(new URLSearchParams(location.search).get("tab"));
  const view = new TabView({
    tab,
    fetchChoice: reading.elements.fetch,
    post: connection.post,
    onHover: (text) => { document.getElementById("hovered").textContent = text || "\u00a0"; },
    onLeft: () => tell("The tab shows another page now. Say of which type it is, and read it."),
  });
  const builder = startBuilder({
    panel: document.getElementById("panel"),
    outcome: document.getElementById("outcome"),
    columns,
    view,
    api: connection,
    tell,
    drafts: draftsIn(localStorage, `rule table ${tab}`),
  });
  builder.onPage = (type) => { reading.elements.type.value = type; };
  reading.onsubmit = async (event) => {
    event.preventDefault();
    const type = reading.elements.type.value.trim();
    if (type === "base") await builder.begin("");
    else await builder.goTo("", type);
  };
  reading.elements.type.onfocus = () => {
    const names = ["base", ...builder.table.types()];
    document.getElementById("page-types-known").replaceChildren(...names.map((name) => new Option(name, name)));
  };
  connecting.hidden = true;
  reading.hidden = false;
  if (!builder.table.rows.length) return builder.begin("");
  tell("Your table is here again. Say of which type this page is, and read it.");
  return undefined;
}

async function connect(code) {
  const button = connecting.querySelector("button");
  button.disabled = true;
  try {
    const { columns } = await connection.open(code);
    await begin(columns);
  } catch (error) {
    connection.close();
    tell(error.message, "bad");
  } finally {
    button.disabled = false;
  }
}

connecting.addEventListener("submit", (event) => {
  event.preventDefault();
  connect(connecting.elements.code.value.trim());
});

document.getElementById("disconnect").addEventListener("click", async () => {
  await connection.post("/api/logout").catch(() => {}); // the code is of no use to whoever finds it later
  localStorage.clear(); // drafts too
  location.reload();
});

if (connection.remembered) connect(connection.remembered);
