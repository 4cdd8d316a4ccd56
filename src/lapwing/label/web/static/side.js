// The left panel: classes with counts, the honest numbers, audits, guidelines.
import { $, count, make, onClick, percent } from "./dom.js";
import { mark } from "./palette.js";

const SPACE = "http://www.w3.org/2000/svg";

export function showClasses(app) {
  $("classes").classList.toggle("two", app.head.classes.length > 5);
  $("classes").replaceChildren(...app.head.classes.map((found) => {
    const on = !app.filter.classes.size || app.filter.classes.has(found.id);
    const toggle = make("button", { type: "button", className: "class-row", title: `Show only ${found.name}` },
      mark(found.id), make("span", { className: "class-name", text: found.name }),
      make("span", { className: "class-count", text: String(found.labeled) }));
    toggle.setAttribute("aria-pressed", String(app.filter.classes.has(found.id)));
    toggle.setAttribute("aria-label", `${found.name}: ${count(found.labeled, "label")}, ${found.predicted ?? "hidden"} predicted. Filter.`);
    toggle.classList.toggle("off", !on);
    onClick(toggle, () => app.toggleClass(found.id));
    const edit = make("button", { type: "button", className: "edit", text: "⋯", title: `Rename or merge ${found.name}` });
    edit.setAttribute("aria-label", `Rename or merge ${found.name}`);
    onClick(edit, () => app.editClass(found.id));
    return make("li", {}, toggle, edit);
  }));
}

export function showNumbers(app) {
  const { head } = app, model = head.model;
  const curve = model ? head.curve.filter((c) => c.labels <= model.labels) : [], last = curve.at(-1);
  drawCurve($("curve"), curve);
  $("curve").classList.toggle("empty", !last);
  $("error").hidden = !last && !model;
  $("error").textContent = last
    ? `Leave-one-out: ${last.wrong} of ${count(last.of, "label")} wrong. Error at rows as hard as these: ${percent(last.error)} (95 %: ${percent(last.low)} to ${percent(last.high)}).`
    : "An error is shown once a class has two labels.";
  $("error").title = "The interval allows for the choice of settings. Suggested rows are harder than others: for the error at all rows, start an audit.";
  $("gain").replaceChildren(...stopping(model));
  $("audits").replaceChildren(...head.audits.slice(-2).map(audited));
  $("audit-form").hidden = Boolean(head.audit) || !model;
  $("auditing").hidden = !head.audit;
  if (head.audit) $("audit-left").textContent = `${head.audit.pending} of ${head.audit.drawn} rows left. The model’s answers are hidden.`;
}

function stopping(model) {
  if (!model) return ["Label rows of two classes, and numbers appear here."];
  const wrong = Math.round(model.doubt * model.open);
  const parts = [`By its own probabilities ${percent(model.doubt)} of the other rows are wrong (${wrong.toLocaleString("en")}).`];
  if (model.gain !== null) {
    const rows = model.gain * model.open;
    parts.push(make("br"), rows < 0.5 ? "The next label mends less than one row: you may stop if that is good enough." : `The next label mends about ${count(Math.round(rows), "row")}.`);
  }
  return parts;
}

function audited(a) {
  const unsure = a.unsure ? `, ${a.unsure} unsure left out` : "";
  return make("p", { className: "fact audit-result" }, make("strong", { text: `Audit ${a.id}: ${percent(a.share, 1)} wrong` }),
    ` (${a.wrong} of ${a.labeled}${unsure}). 95 % interval ${percent(a.low, 1)} to ${percent(a.high, 1)}.`);
}

function drawCurve(svg, curve) {
  svg.replaceChildren();
  const [left, right, top, bottom] = [26, 220, 5, 54];
  const most = Math.max(10, ...curve.map((c) => c.labels));
  const x = (n) => left + (right - left) * n / most, y = (e) => bottom - (bottom - top) * e;
  const add = (tag, attributes, text) => {
    const element = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    svg.append(element);
  };
  for (const e of [0, 0.5, 1]) {
    add("line", { x1: left, x2: right, y1: y(e), y2: y(e), class: "grid" });
    add("text", { x: left - 4, y: y(e) + 3, class: "tick", "text-anchor": "end" }, `${100 * e}`);
  }
  add("text", { x: right, y: 66, class: "tick", "text-anchor": "end" }, `${most} labels`);
  add("text", { x: left, y: 66, class: "tick" }, "error, %");
  if (!curve.length) return;
  const band = [...curve.map((c) => [x(c.labels), y(c.high)]), ...curve.toReversed().map((c) => [x(c.labels), y(c.low)])];
  if (curve.length > 1) add("polygon", { points: band.map((p) => p.join(",")).join(" "), class: "band" });
  add("polyline", { points: curve.map((c) => `${x(c.labels)},${y(c.error)}`).join(" "), class: "line" });
  const last = curve.at(-1);
  if (curve.length === 1) add("line", { x1: x(last.labels), x2: x(last.labels), y1: y(last.low), y2: y(last.high), class: "line" });
  add("circle", { cx: x(last.labels), cy: y(last.error), r: 3, class: "dot" });
}

/** One line under the map: how many labels, and how old the model's numbers are. */
export function showAge(app) {
  const { head } = app, model = head.model, words = [count(head.labels, "label")];
  if (head.unsure) words.push(`${head.unsure} unsure`);
  if (head.strangers > 0) words.push(`${count(head.strangers, "label")} of rows that left the file`);
  if (head.trouble) words.push(`the model failed: ${head.trouble}`);
  else if (model) {
    words.push(model.behind ? `probabilities and suggestions are ${count(model.behind, "label")} old` : "probabilities and suggestions are up to date");
    if (model.used < model.labels) words.push(`the model learns from ${count(model.used, "label")} of ${model.labels}, an even share of each class`);
    if (head.busy) words.push("renewing…");
  } else if (head.busy) words.push("fitting the first model…");
  $("age").textContent = words.join(" · ");
}
