// Buttons, forms and menus: what each of them does.
import { bytes } from "./api.js";
import { $, onClick } from "./dom.js";
import { startFilter } from "./filter.js";

export function startControls(app) {
  const clicks = {
    undo: () => app.undo(), redo: () => app.redo(), accept: () => app.accept(), unsure: () => app.unsure(),
    next: () => app.next(), unlabel: () => app.unlabel(), suspects: () => app.suspect(1), lasso: () => app.lasso(),
    closer: () => app.map.zoom(1.4), wider: () => app.map.zoom(1 / 1.4), whole: () => app.map.whole(),
    help: () => $("keys").showModal(), "add-class": () => app.editClass(null),
    "clear-selection": () => app.select([]), "take-labeled": () => app.takeLabeled(), "stop-audit": () => app.send("stop-audit"),
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
  const { layouts, layout, numeric } = app.about, pickers = [$("across"), $("up")];
  $("layout").append(...layouts.map((name) => new Option(`Map: ${name}`, name)));
  if (numeric.length > 1) $("layout").append(new Option("Map: columns", "columns"));
  for (const picker of pickers) picker.append(...numeric.map((name) => new Option(name, name)));
  $("layout").value = layout;
  $("up").selectedIndex = Math.min(1, numeric.length - 1);
  for (const picker of [$("layout"), ...pickers]) picker.addEventListener("change", () => { picker.blur(); showLayout(app); });
}

async function showLayout(app) {
  const kind = $("layout").value, columns = kind === "columns" ? [$("across").value, $("up").value] : [];
  $("axes").hidden = !columns.length;
  app.say("Drawing the map…", "saving");
  try {
    const query = [`layout=${kind}`, ...columns.map((name) => `column=${encodeURIComponent(name)}`)].join("&");
    app.map.setPlaces(new Float32Array(await bytes(`/api/map?${query}`)));
    nameAxes(columns);
    app.say("Saved", "saved");
  } catch (error) { app.failed(error); }
}

/** The names of the columns along the edges of the map. */
function nameAxes([across, up]) {
  $("axis-across").hidden = $("axis-up").hidden = across === undefined;
  $("axis-across").textContent = `gaps at the edge · ${across} →`;
  $("axis-up").textContent = `${up} →`;
}
