// Which rows stand out: by class, confidence, source and search. The others stay visible, faint.
import { bytes } from "./api.js";
import { $, onClick } from "./dom.js";
import { LABELED, NONE, UNSURE } from "./palette.js";

/** One byte per point: 1 is dimmed. */
export function dims(app) {
  const { classes, confidence, filter, head } = app, n = classes.length, out = new Uint8Array(n);
  const lists = { suspicious: new Set(head.suspicious), suggested: new Set(head.suggested) };
  const source = {
    all: () => true,
    person: (i) => confidence[i] & LABELED && classes[i] !== UNSURE,
    model: (i) => !(confidence[i] & LABELED),
    gray: (i) => classes[i] === NONE,
    unsure: (i) => classes[i] === UNSURE,
    suspicious: (i) => lists.suspicious.has(i),
    suggested: (i) => lists.suggested.has(i),
  }[filter.source];
  const most = filter.sure * 1.27 + 0.5;
  const idle = !filter.classes.size && filter.source === "all" && filter.sure === 100 && !filter.found;
  $("show-all").hidden = idle;
  if (idle) return out;
  for (let i = 0; i < n; i++) {
    const shown = (!filter.classes.size || filter.classes.has(classes[i])) && source(i) &&
      (filter.sure === 100 || (confidence[i] & 127) <= most) && (!filter.found || filter.found.has(i));
    out[i] = shown ? 0 : 1;
  }
  return out;
}

export function startFilter(app) {
  const { filter } = app;
  $("source").addEventListener("change", () => { filter.source = $("source").value; $("source").blur(); app.refresh(); });
  $("sure").addEventListener("input", () => {
    filter.sure = Number($("sure").value);
    $("sure-value").textContent = `${filter.sure} %`;
    app.map.setDims(dims(app));
  });
  $("sure").addEventListener("change", () => $("sure").blur());
  onClick($("show-all"), () => {
    Object.assign(filter, { source: "all", sure: 100, found: null });
    filter.classes.clear();
    $("source").value = "all";
    $("sure").value = 100;
    $("sure-value").textContent = "100 %";
    $("search").value = "";
    app.refresh();
  });
  let pause;
  $("search").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(() => search(app), 200); });
  $("search").addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    clearTimeout(pause);
    await search(app);
    const first = filter.found?.values().next().value;
    if (first !== undefined) { $("search").blur(); app.open(first, "map"); }
  });
}

async function search(app) {
  const words = $("search").value.trim();
  try {
    const found = words ? new Uint32Array(await bytes(`/api/search?q=${encodeURIComponent(words.slice(0, 300))}`)) : null;
    if (words !== $("search").value.trim()) return;
    app.filter.found = found && new Set(found);
    app.refresh();
    if (found) app.say(`${found.length.toLocaleString("en")} found`, "saved");
  } catch (error) { app.failed(error); }
}
