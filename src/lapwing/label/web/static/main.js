// The page: it keeps the state, asks the server, and tells the panels to show it.
import { act, answers, bytes, json, listen, Refused } from "./api.js";
import { startControls } from "./controls.js";
import { askClass } from "./dialogs.js";
import { $, count } from "./dom.js";
import { dims } from "./filter.js";
import { startKeys } from "./keys.js";
import { PointMap } from "./map.js";
import { LABELED, UNSURE } from "./palette.js";
import { RowPanel } from "./row.js";
import { showAge, showClasses, showNumbers } from "./side.js";
import { startTheme } from "./theme.js";

const GONE = "The server does not answer. All labels that were said to be saved are saved; run lapwing label again to go on.";
const RESTING = 120;                   // milliseconds until a row under the pointer is asked for

class App {
  constructor() {
    this.head = null;
    this.current = -1;
    this.queue = "suggested";          // where the present row comes from
    this.lassoed = [];                 // rows within the lasso
    this.labeledToo = false;           // whether it takes rows that have a label
    this.waiting = 0;                  // actions that are not saved yet
    this.newest = -1;                  // the newest version that the server told of
    this.done = new Set();             // rows labeled here that the server has not confirmed
    this.filter = { classes: new Set(), source: "all", sure: 100, found: null };
    this.panel = new RowPanel(this);
    this.map = new PointMap($("points"), $("marks"), {
      pick: (i) => this.open(i, "map"),
      hover: (i, x, y) => this.hover(i, x, y),
      lasso: (found) => this.select(found),
    });
  }

  async start() {
    startTheme($("theme"), (theme) => this.map.setTheme(theme));
    this.about = await json("/api/session");
    document.title = `${this.about.name} · Lapwing`;
    $("title").textContent = this.about.name;
    $("size").textContent = count(this.about.rows, "row");
    const counts = new Uint8Array(this.about.points);
    for (const [i, n] of this.about.duplicates) counts[i] = Math.min(255, Math.round(Math.log2(n)));
    this.map.setCounts(counts);
    this.map.setPlaces(new Float32Array(await bytes(`/api/map?layout=${this.about.layout}`)));
    startControls(this);
    this.take(await answers());
    this.next();
    startKeys(this);
    listen((version) => this.heard(version));
    document.body.dataset.ready = "true";
  }

  // What the server says

  take(packet) {
    if (this.head && packet.head.version < this.head.version) return;
    this.head = packet.head;
    this.classes = packet.classes;
    this.confidence = packet.confidence;
    this.panel.forget();
    this.map.setAnswers(packet.classes, packet.confidence);
    this.refresh();
    document.body.dataset.version = this.head.version;
    document.body.dataset.labels = this.head.labels;
  }

  refresh() {
    showClasses(this);
    showNumbers(this);
    showAge(this);
    this.map.setDims(dims(this));
    $("undo").disabled = !this.head.undo;
    $("redo").disabled = !this.head.redo;
    const n = this.head.suspicious.length;
    $("suspects").hidden = !n;
    $("suspects").textContent = `${count(n, "suspicious label")} (J)`;
    this.showSelection();
    if (document.activeElement !== $("guidelines")) $("guidelines").value = this.head.guidelines;
    if (this.current >= 0) this.panel.show(this.current);
  }

  showMarks() {
    this.map.setMarks({
      pins: this.head.suggested.filter((i) => !this.done.has(i)).slice(0, 10),
      halos: this.head.suspicious, current: this.current,
    });
  }

  async heard(version) {
    if (version === false) return this.trouble(GONE, true);
    if ($("trouble").hasAttribute("data-gone")) this.calm();
    this.newest = version;
    await this.keepUp();
  }

  /** Ask for news, but not while an action is on its way: its answer may bring them. */
  async keepUp() {
    if (this.newest > (this.head?.version ?? -1) && !this.waiting) await this.renew();
  }

  async renew() {
    try {
      this.take(await answers());
      if (this.current < 0 || (this.queue === "suggested" && !this.isOpen(this.current))) this.next();
    } catch (error) { this.failed(error); }
  }

  /** Send an action; "saved" is said when the server has answered, which is after its COMMIT. */
  async send(action, given = {}) {
    this.waiting += 1;
    this.say("Saving…", "saving");
    try {
      const packet = await act(action, given);
      this.waiting -= 1;
      this.calm();
      for (const point of given.points ?? []) this.done.delete(point);
      this.take(packet);
      if (!this.waiting) this.say(packet.head.moved ? `Saved · ${count(packet.head.moved, "answer")} moved` : "Saved", "saved");
      return true;
    } catch (error) {
      this.waiting -= 1;
      for (const point of given.points ?? []) this.done.delete(point);
      const words = error instanceof Refused ? error.message : "The server does not answer: this was not saved.";
      this.say("Not saved", "failed");
      this.trouble(words);
      if (given.points?.length === 1) this.open(given.points[0], "map");
      return false;
    } finally { this.keepUp(); }
  }

  // Labels

  async label(id) { await this.decide("label", { class: id }); }
  async unsure() { await this.decide("unsure"); }
  async unlabel() {
    const points = this.selected.filter((i) => this.confidence[i] & LABELED);
    if (points.length) { this.select([]); return this.send("label", { points, class: null, via: "lasso" }); }
    if (this.current >= 0 && !$("unlabel").hidden) await this.send("label", { points: [this.current], class: null, via: this.queue });
  }
  async accept() {
    if (this.lassoed.length) return;
    if (!$("accept").disabled) await this.decide("accept");
  }

  async decide(action, more = {}) {
    if (this.lassoed.length) {
      const points = this.selected;
      if (!points.length) return this.say("All rows in the lasso have a label", "failed");
      this.select([]);
      await this.send(action, { points, via: "lasso", ...more });
      return this.isOpen(this.current) || this.next();
    }
    // A key counts for the row that is shown, never for one that is still on its way.
    if (this.current < 0 || this.panel.shown?.point !== this.current) return;
    const point = this.current, via = this.queue;
    this.done.add(point);
    const sent = this.send(action, { points: [point], via, ...more });
    if (via === "suspicious") { await sent; return this.suspect(0); }
    if (!this.next()) this.close();
    await sent;
    if (this.current < 0) this.next();
  }

  async undo() { if (this.head.undo) await this.step("undo"); }
  async redo() { if (this.head.redo) await this.step("redo"); }

  /** Undo or redo, then show the row whose label came or went; after a lasso, the next row. */
  async step(action) {
    const [classes, sure] = [this.classes, this.confidence];
    if (!await this.send(action)) return;
    const moved = [];
    for (let i = 0; i < sure.length && moved.length < 2; i++) {
      const labeled = (sure[i] | this.confidence[i]) & LABELED;
      if (labeled && ((sure[i] ^ this.confidence[i]) & LABELED || classes[i] !== this.classes[i])) moved.push(i);
    }
    if (moved.length === 1 && action === "undo") this.open(moved[0], "suggested");
    else if (!this.isOpen(this.current)) this.next();
  }

  // Which row

  isOpen(point) { return point >= 0 && !(this.confidence[point] & LABELED) && !this.done.has(point); }

  open(point, queue) {
    this.current = point;
    this.queue = queue;
    document.body.dataset.current = point;
    this.map.reveal(point);
    this.showMarks();
    this.panel.show(point).catch((error) => this.failed(error));
    for (const next of this.head.suggested.filter((i) => this.isOpen(i)).slice(0, 3)) this.panel.fetch(next).catch(() => {});
  }

  next() {
    const waiting = this.head.suggested.filter((i) => this.isOpen(i));
    const place = this.queue === "suggested" ? waiting.indexOf(this.current) : -1;
    const point = waiting[(place + 1) % waiting.length];
    if (point !== undefined) this.open(point, "suggested");
    return point !== undefined;
  }

  /** No row at hand, until the server has suggested one. */
  close() {
    this.current = -1;
    document.body.dataset.current = "";
    this.showMarks();
  }

  suspect(step) {
    const list = this.head.suspicious;
    if (!list.length) return this.queue === "suspicious" ? this.next() : undefined;
    const place = list.indexOf(this.current);
    const to = place < 0 ? 0 : (place + step + list.length) % list.length;
    this.open(list[to], "suspicious");
  }

  /** The lasso's rows that a class key labels: those without a label, or all. */
  get selected() { return this.labeledToo ? this.lassoed : this.lassoed.filter((i) => this.isOpen(i)); }

  select(points) {
    this.lassoed = points;
    this.labeledToo = false;
    this.lasso(false);
    this.showSelection();
  }

  /** Take rows of the lasso that have a label too, or leave them as they are. */
  takeLabeled() {
    this.labeledToo = !this.labeledToo;
    this.showSelection();
  }

  showSelection() {
    const labeled = this.lassoed.filter((i) => !this.isOpen(i)).length;
    $("selection").hidden = !this.lassoed.length;
    $("selected").textContent = `${count(this.selected.length, "row")} selected.`;
    $("take-labeled").hidden = !labeled;
    $("take-labeled").setAttribute("aria-pressed", String(this.labeledToo));
    $("take-words").textContent = `the ${labeled.toLocaleString("en")} labeled too`;
    this.map.setChosen(this.selected);
    this.showMarks();
  }

  lasso(on = !this.map.lassoing) {
    this.map.setLasso(on);
    $("lasso").setAttribute("aria-pressed", String(on));
  }

  letGo() {
    this.select([]);
    this.calm();
    $("export").open = false;
    if ($("search").value) { $("search").value = ""; this.filter.found = null; this.refresh(); this.say("Saved", "saved"); }
    document.activeElement?.blur();
  }

  toggleClass(id) {
    const set = this.filter.classes;
    if (set.has(id)) set.delete(id); else set.add(id);
    this.refresh();
  }

  async editClass(id) {
    const wish = await askClass(this.head.classes, id);
    if (wish) await this.send(wish.action, wish.given);
  }

  // Words

  name(id) { return this.head.classes.find((c) => c.id === id)?.name; }

  /** What is said of the row under the pointer; where it rests, the row's own words come first. */
  hover(i, x, y) {
    clearTimeout(this.resting);
    if (i !== this.map.marks.hover) this.map.setMarks({ hover: i });
    if (i < 0) { $("tip").hidden = true; return; }
    this.showTip(this.saidOf(i), x, y);
    this.resting = setTimeout(async () => {
      const row = await this.panel.fetch(i).catch(() => null);
      if (row && this.map.marks.hover === i) this.showTip(`${this.saidOf(i)} · ${row.brief}`, x, y);
    }, RESTING);
  }

  saidOf(i) {
    const id = this.classes[i], labeled = this.confidence[i] & LABELED, many = this.about.duplicates.find(([p]) => p === i);
    const sure = labeled ? "labeled" : `${Math.round((this.confidence[i] & 127) / 1.27)} %`;
    const said = id >= UNSURE ? (labeled ? "unsure" : "no answer") : `${this.name(id)}, ${sure}`;
    return many ? `${said} · ${many[1]} identical rows` : said;
  }

  showTip(words, x, y) {
    const tip = $("tip");
    tip.textContent = words;
    tip.hidden = false;
    tip.style.left = `${Math.max(4, Math.min(x + 14, this.map.width - tip.offsetWidth - 6))}px`;
    tip.style.top = `${Math.max(4, y - 30)}px`;
  }

  say(words, state) {
    $("saved").textContent = words;
    $("saved").dataset.state = state;
  }

  /** Say what is wrong; that the server is gone is taken back when it answers again. */
  trouble(words, gone = false) {
    $("trouble").textContent = words;
    $("trouble").hidden = false;
    $("trouble").toggleAttribute("data-gone", gone);
  }

  failed(error) {
    const refused = error instanceof Refused;
    if (!refused) console.error(error);
    this.trouble(refused ? error.message : GONE, !refused);
  }

  calm() { $("trouble").hidden = true; }
}

const app = new App();
globalThis.lapwing = app;
app.start().catch((error) => app.failed(error));
