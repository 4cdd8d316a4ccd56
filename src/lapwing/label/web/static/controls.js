// Buttons, forms and menus: what each of them does.
import { bytes } from "./api.js";
import { $, onClick } from "./dom.js";
import { startFilter } from "./filter.js";

const AXES = 6;                        // numeric columns that are offered in pairs as axes

export function startControls(app) {
  const clicks = {
    undo: () => app.undo(), redo: () => app.redo(), accept: () => app.accept(), unsure: () => app.unsure(),
    next: () => app.next(), unlabel: () => app.unlabel(), suspects: () => app.suspect(1), lasso: () => app.lasso(),
    closer: () => app.map.zoom(1.4), wider: () => app.map.zoom(1 / 1.4), whole: () => app.map.whole(),
    help: () => $("keys").showModal(), "add-class": () => app.editClass(null),
    "clear-selection": () => app.select([]), "stop-audit": () => app.send("stop-audit"),
  };
  for (const [id, does] of Object.entries(clicks)) onClick($(id), does);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#export summary")) $("export").open = false;
  });
  $("audit-form").addEventListener("submit", (event) => startAudit(app, event));
  $("first-class").addEventListener("submit", (event) => firstClasses(app, event));
  $("guidelines").addEventListener("change", () => app.send("guidelines", { text: $("guidelines").value }));
  startLayouts(app);
  startFilter(app);
  app.say("Saved", "saved");
}

async function startAudit(app, event) {
  event.preventDefault();
  if (await app.send("start-audit", { k: Number($("audit-k").value) })) { $("audit").blur(); app.next(); }
}

async function firstClasses(app, event) {
  event.preventDefault();
  const names = $("first-name").value.split(",").map((n) => n.trim()).filter(Boolean);
  $("first-name").value = "";
  document.activeElement.blur();
  for (const name of new Set(names)) await app.send("add-class", { name });
}

function startLayouts(app) {
  const { layouts, layout, numeric } = app.about;
  $("layout").append(...layouts.map((name) => new Option(`Map: ${name}`, name)), ...pairs(numeric.slice(0, AXES)));
  $("layout").value = layout;
  $("layout").addEventListener("change", () => showLayout(app, $("layout").value));
}

function pairs(names) {
  const found = [];
  for (let i = 0; i < names.length; i++) for (let j = i + 1; j < names.length; j++) found.push(new Option(`${names[i]} × ${names[j]}`, JSON.stringify([names[i], names[j]])));
  return found;
}

async function showLayout(app, wish) {
  const columns = wish.startsWith("[") ? JSON.parse(wish) : [];
  const query = columns.length ? `layout=columns&${columns.map((c) => `column=${encodeURIComponent(c)}`).join("&")}` : `layout=${wish}`;
  app.say("Drawing the map…", "saving");
  try {
    app.map.setPlaces(new Float32Array(await bytes(`/api/map?${query}`)));
    app.say("Saved", "saved");
  } catch (error) { app.failed(error); }
  $("layout").blur();
}
