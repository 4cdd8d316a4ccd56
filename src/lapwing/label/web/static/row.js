// The panel of one row: content, the model's answer, the buttons, the nearest labeled rows.
import { json } from "./api.js";
import { $, make, onClick, percent } from "./dom.js";
import { color, mark } from "./palette.js";

const KEPT = 40;

export class RowPanel {
  constructor(app) {
    this.app = app;
    this.known = new Map();            // rows as they were fetched, for the present version
    this.shown = null;
  }

  forget() { this.known.clear(); }

  fetch(point) {
    if (!this.known.has(point)) {
      if (this.known.size > KEPT) this.known.clear();
      const found = json(`/api/row/${point}`);
      found.catch(() => this.known.delete(point));
      this.known.set(point, found);
    }
    return this.known.get(point);
  }

  async show(point) {
    const row = await this.fetch(point);
    if (this.app.current !== point) return;
    const other = this.shown?.point !== point;
    this.shown = row;
    this.title(row);
    if (other) this.content(row);
    this.answer(row);
    this.buttons(row);
    this.why(row);
    document.body.dataset.shown = point;
  }

  title(row) {
    $("row-title").textContent = `Row ${row.row.toLocaleString("en")}`;
    const notes = [];
    const place = this.app.head.suggested.indexOf(row.point);
    if (row.blind) notes.push("audit");
    else if (row.suspicious) notes.push("suspicious label");
    else if (place >= 0) notes.push(`suggested, ${place + 1} of ${this.app.head.suggested.length}`);
    if (row.count > 1) notes.push(`${row.count} identical rows`);
    $("row-note").textContent = notes.join(" · ");
    $("row-note").classList.toggle("alarm", Boolean(row.suspicious));
  }

  content(row) {
    const box = $("content"), { about } = this.app;
    box.replaceChildren();
    box.scrollTop = 0;
    if (about.pictures) {
      const picture = make("img", { alt: `Picture of row ${row.row}`, className: "picture", src: `/api/image/${row.point}` });
      picture.addEventListener("load", () => picture.classList.toggle("tiny", picture.naturalWidth < 100));
      picture.addEventListener("error", () => picture.replaceWith(make("p", { className: "quiet", text: "The picture cannot be shown." })));
      box.append(picture);
    }
    const text = row.cells.find(([name]) => name === about.text);
    if (text) box.append(make("p", { className: "words", text: text[1] || "(empty)" }));
    const cells = row.cells.filter(([name]) => name !== about.text);
    if (!cells.length || (about.pictures && about.columns.length === 1)) return;
    const list = make("dl", { className: "cells" });
    for (const [name, value] of cells) list.append(make("dt", { text: name, title: name }), make("dd", { text: value || "–" }));
    box.append(list);
  }

  answer(row) {
    const box = $("answer");
    box.replaceChildren();
    if (row.blind) return box.append(make("p", { className: "quiet", text: "The model’s answer is hidden during an audit." }));
    if (row.label !== null) box.append(this.sentence("Labeled ", row.label, row.by ? ` by ${row.by}` : ""));
    else if (row.unsure) box.append(make("p", { text: "Marked as unsure." }));
    if (row.answer === null) {
      if (row.label === null && !row.unsure) box.append(make("p", { className: "quiet", text: this.app.head.model ? "The model has no answer here." : "The model answers once two classes have a label." }));
      return;
    }
    if (row.others !== null && row.others !== row.label) box.append(this.sentence("The other labels say ", row.others, ""));
    box.append(this.sentence("Model: ", row.answer, row.gray ? ", but no label is near" : ""));
    const bars = make("ul", { className: "bars" });
    for (const { class: id, p } of row.probabilities.slice(0, 3)) {
      const name = this.app.name(id);
      if (name === undefined) continue;
      const bar = make("i", { className: "bar" });
      bar.style.width = `${Math.max(1, 100 * p)}%`;
      bar.style.background = color(id);
      bars.append(make("li", {}, make("span", { className: "bar-name", text: name }), make("span", { className: "track" }, bar), make("span", { className: "bar-value", text: percent(p) })));
    }
    box.append(bars);
  }

  sentence(before, id, after) {
    return make("p", {}, before, mark(id), make("span", {}, make("strong", { text: this.app.name(id) ?? "?" }), after));
  }

  buttons(row) {
    const box = $("buttons"), classes = this.app.head.classes;
    $("first-class").hidden = classes.length > 0;
    box.replaceChildren(...classes.map(({ id, name, key }) => {
      const button = make("button", { type: "button", className: "class-button", title: name }, mark(id), make("span", { className: "class-name", text: name }));
      if (key) button.append(make("kbd", { text: key }));
      button.setAttribute("aria-label", key ? `${name}, key ${key}` : name);
      button.setAttribute("aria-pressed", String(row.label === id));
      if (!row.blind && row.answer === id && row.label === null) button.classList.add("likely");
      onClick(button, () => this.app.label(id));
      return button;
    }));
    const short = classes.every((c) => c.name.length <= 2);
    box.classList.toggle("short", short && classes.length > 4);
    box.classList.toggle("many", !short && classes.length > 8);
    $("accept").disabled = row.blind || row.answer === null;
    $("unlabel").hidden = row.label === null && !row.unsure;
  }

  why(row) {
    const near = row.why ?? [];
    $("why").hidden = !near.length;
    $("near").replaceChildren(...near.map(({ point, class: id, brief }) => {
      const button = make("button", { type: "button", className: "near" });
      if (this.app.about.pictures) {
        const picture = make("img", { src: `/api/image/${point}`, alt: "", className: "thumb" });
        const name = make("span", { className: "class-name", text: this.app.name(id) ?? "?" });
        button.append(picture, make("span", { className: "thumb-name" }, mark(id), name));
      } else button.append(mark(id), make("span", { className: "brief", text: brief }));
      button.title = `${this.app.name(id)}: ${brief}`;
      button.setAttribute("aria-label", `${this.app.name(id)}: ${brief}`);
      onClick(button, () => this.app.open(point, "map"));
      return make("li", {}, button);
    }));
    $("near").classList.toggle("pictures", this.app.about.pictures);
  }
}
