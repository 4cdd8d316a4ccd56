// The map: view, drawing, picking, lasso. It knows points and bytes, not what they mean.
import { canvasPainter } from "./canvas.js";
import { drawMarks } from "./marks.js";
import { LABELED } from "./palette.js";
import { webglPainter } from "./shaders.js";

const MOVING = 600, ANIMATED = 20000, NEAR = 14;

export class PointMap {
  constructor(points, marks, events) {
    this.canvas = points;
    this.overlay = marks;
    this.events = events;              // pick(i), hover(i, x, y), lasso(list)
    const plain = new URLSearchParams(location.search).has("canvas");
    this.painter = (plain ? null : webglPainter(points)) ?? canvasPainter(points);
    this.n = 0;
    this.places = new Float32Array(0);
    this.view = { x: 0, y: 0, zoom: 1 };
    this.marks = { pins: [], halos: [], current: -1, hover: -1, selected: [], path: [] };
    this.lassoing = false;
    this.theme = null;
    new ResizeObserver(() => this.resize()).observe(points.parentElement);
    this.listen();
  }

  // Data

  setPlaces(places) {
    const before = this.places;
    this.n = places.length / 2;
    if (before.length !== places.length) {
      this.dims = new Uint8Array(this.n);
      this.showDims();
    }
    if (before.length === places.length && this.n <= ANIMATED) this.glide(before, places);
    else this.showPlaces(places);
  }

  showPlaces(places) {
    this.places = places;
    this.painter.places(places);
    this.draw();
  }

  glide(from, to) {
    const start = performance.now();
    const step = (now) => {
      const t = Math.min(1, (now - start) / MOVING), ease = t * t * (3 - 2 * t);
      this.showPlaces(t === 1 ? to : from.map((v, i) => v + (to[i] - v) * ease));
      if (t < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  setCounts(counts) { this.painter.counts(counts); }

  setAnswers(classes, confidence) {
    this.classes = classes;
    this.confidence = confidence;
    const labeled = [];
    for (let i = 0; i < confidence.length; i++) if (confidence[i] & LABELED) labeled.push(i);
    this.painter.answers(classes, confidence, Uint32Array.from(labeled));
    this.draw();
  }

  setDims(dims) {
    this.dims = dims;
    this.showDims();
  }

  /** The points that a lasso chose stand out; what can be picked stays what the filter shows. */
  setChosen(points) {
    if (!points.length && !this.marks.selected.length) return;
    this.marks.selected = points;
    this.showDims();
  }

  showDims() {
    const { selected } = this.marks;
    const shown = selected.length ? new Uint8Array(this.n).fill(1) : this.dims;
    for (const i of selected) shown[i] = 0;
    this.painter.dims(shown);
    this.draw();
  }

  setMarks(marks) { Object.assign(this.marks, marks); this.drawOverlay(); }

  setTheme(theme) { this.theme = theme; this.draw(); }

  // View

  resize() {
    const box = this.canvas.parentElement.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    this.width = box.width;
    this.height = box.height;
    for (const canvas of [this.canvas, this.overlay]) {
      canvas.width = Math.max(1, Math.round(box.width * ratio));
      canvas.height = Math.max(1, Math.round(box.height * ratio));
    }
    this.ratio = ratio;
    this.draw();
  }

  /** Half the side of the map on the screen, between the tools above and the words below. */
  get half() { return Math.min(this.width, this.height - 112) / 2 * this.view.zoom; }

  screen(i) {
    return [this.width / 2 + (this.places[2 * i] - this.view.x) * this.half,
      this.height / 2 - (this.places[2 * i + 1] - this.view.y) * this.half];
  }

  get pointSize() {
    const few = Math.max(2.6, Math.min(8.5, 46 / this.n ** 0.25));
    return few * Math.min(3, this.view.zoom ** 0.4);
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const dx = (x - this.width / 2) / this.half, dy = (this.height / 2 - y) / this.half;
    const zoom = Math.min(60, Math.max(0.6, this.view.zoom * factor)), real = zoom / this.view.zoom;
    this.view = { x: this.view.x + dx * (1 - 1 / real), y: this.view.y + dy * (1 - 1 / real), zoom };
    this.draw();
  }

  pan(dx, dy) {
    this.view.x -= dx / this.half;
    this.view.y += dy / this.half;
    this.draw();
  }

  whole() { this.view = { x: 0, y: 0, zoom: 1 }; this.draw(); }

  /** Bring a point into sight where it is not. */
  reveal(i) {
    const [x, y] = this.screen(i), rim = 24;
    if (x < rim || y < rim || x > this.width - rim || y > this.height - rim) {
      this.view.x = this.places[2 * i];
      this.view.y = this.places[2 * i + 1];
      this.draw();
    }
  }

  draw() {
    if (this.pending || !this.theme || !this.width) return;
    this.pending = requestAnimationFrame(() => { this.pending = 0; this.drawNow(); });
  }

  drawNow() {
    const sx = 2 * this.half / this.width, sy = 2 * this.half / this.height;
    const view = { scale: [sx, sy], shift: [-this.view.x * sx, -this.view.y * sy], size: this.pointSize * this.ratio };
    if (this.classes && this.n) this.painter.draw(view, this.theme);
    this.drawOverlay();
  }

  drawOverlay() { if (this.theme && this.width) drawMarks(this); }

  // Finding points

  nearest(x, y) {
    const px = this.view.x + (x - this.width / 2) / this.half;
    const py = this.view.y + (this.height / 2 - y) / this.half;
    let best = (NEAR / this.half) ** 2, found = -1;
    for (let i = 0; i < this.n; i++) {
      const dx = this.places[2 * i] - px, dy = this.places[2 * i + 1] - py, d = dx * dx + dy * dy;
      if (d < best && !this.dims[i]) { best = d; found = i; }
    }
    return found;
  }

  /** The points within a line on the screen that are not dimmed. */
  within(path) {
    const corners = path.map(([x, y]) => [this.view.x + (x - this.width / 2) / this.half,
      this.view.y + (this.height / 2 - y) / this.half]);
    const found = [];
    for (let i = 0; i < this.n; i++) {
      if (!this.dims[i] && inPolygon(this.places[2 * i], this.places[2 * i + 1], corners)) found.push(i);
    }
    return found;
  }

  // Pointer

  setLasso(on) {
    this.lassoing = on;
    this.marks.path = [];
    this.overlay.classList.toggle("lasso", on);
    this.drawOverlay();
  }

  listen() {
    const at = (event) => { const box = this.overlay.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    let down = null;
    this.overlay.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.overlay.setPointerCapture(event.pointerId);
      down = { at: at(event), moved: false, lasso: this.lassoing || event.shiftKey };
      if (down.lasso) this.marks.path = [down.at];
    });
    this.overlay.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      if (!down) return this.events.hover(this.n ? this.nearest(x, y) : -1, x, y);
      if (Math.hypot(x - down.at[0], y - down.at[1]) > 3) down.moved = true;
      if (down.lasso) { this.marks.path.push([x, y]); this.drawOverlay(); }
      else if (down.moved) { this.pan(x - (down.last ?? down.at)[0], y - (down.last ?? down.at)[1]); }
      down.last = [x, y];
    });
    this.overlay.addEventListener("pointerup", (event) => {
      if (!down) return;
      const [x, y] = at(event), was = down;
      down = null;
      if (was.lasso && was.moved) this.events.lasso(this.within(this.marks.path));
      else if (!was.moved) { const i = this.nearest(x, y); if (i >= 0) this.events.pick(i); }
      this.marks.path = [];
      this.drawOverlay();
    });
    this.overlay.addEventListener("pointerleave", () => this.events.hover(-1, 0, 0));
    this.overlay.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...at(event));
    }, { passive: false });
    this.overlay.addEventListener("dblclick", (event) => this.zoom(2, ...at(event)));
  }
}

export function inPolygon(x, y, corners) {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [xi, yi] = corners[i], [xj, yj] = corners[j];
    if (yi > y !== yj > y && x < (xj - xi) * (y - yi) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}
