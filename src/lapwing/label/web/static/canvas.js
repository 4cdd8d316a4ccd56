// The points on a plain canvas, where the browser has no WebGL2.
import { LABELED, lifted, shapeIndex } from "./palette.js";

const LEVELS = 6;
const css = (c) => `rgb(${c.map((v) => Math.round(v * 255)).join(" ")})`;

/** Draws points on a canvas with the 2D context: squares by color and confidence, then labels. */
export function canvasPainter(canvas) {
  const pen = canvas.getContext("2d", { alpha: false });
  let places = new Float32Array(0), counts, dims, some = false, classes, confidence, labeled = [];

  function bucket(i) {
    if (dims[i]) return "dim";
    const id = classes[i] >= 254 ? -1 : classes[i];
    return `${id} ${Math.round((confidence[i] & 127) / 127 * LEVELS)}`;
  }

  function outline(x, y, r, shape) {
    pen.beginPath();
    if (shape === 1) pen.rect(x - r * 0.8, y - r * 0.8, r * 1.6, r * 1.6);
    else if (shape === 2) { pen.moveTo(x, y - r); pen.lineTo(x + r, y + r * 0.8); pen.lineTo(x - r, y + r * 0.8); pen.closePath(); }
    else if (shape === 3) { pen.moveTo(x, y - r); pen.lineTo(x + r, y); pen.lineTo(x, y + r); pen.lineTo(x - r, y); pen.closePath(); }
    else pen.arc(x, y, r, 0, 7);
  }

  return {
    kind: "canvas",
    places(data) { places = data; },
    counts(data) { counts = data; },
    dims(data) { dims = data; some = data.includes(1); },
    answers(c, p, l) { classes = c; confidence = p; labeled = l; },
    draw(view, theme) {
      const { width, height } = canvas, n = places.length / 2;
      pen.globalAlpha = 1;
      pen.fillStyle = css(theme.ground);
      pen.fillRect(0, 0, width, height);
      const screen = (i) => [
        (places[2 * i] * view.scale[0] + view.shift[0] + 1) / 2 * width,
        (1 - (places[2 * i + 1] * view.scale[1] + view.shift[1])) / 2 * height];
      const groups = new Map();
      for (let i = 0; i < n; i++) {
        const key = bucket(i);
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(i);
      }
      for (const [key, members] of groups) {
        const [id, level] = key.split(" ").map(Number);
        const alpha = id < 0 ? 0.42 : 0.14 + 0.78 * (level / LEVELS) ** 2;
        pen.globalAlpha = key === "dim" ? 0.13 : some ? Math.max(alpha, 0.6) : alpha;
        pen.fillStyle = key === "dim" || id < 0 ? css(theme.gray) : css(lifted(id, theme.lift));
        for (const i of members) {
          const [x, y] = screen(i), s = view.size * (1 + 0.22 * counts[i]);
          pen.fillRect(x - s / 2, y - s / 2, s, s);
        }
      }
      pen.lineWidth = 1.6;
      pen.strokeStyle = css(theme.ink);
      for (const i of labeled) {
        if (!(confidence[i] & LABELED)) continue;
        const [x, y] = screen(i);
        pen.globalAlpha = dims[i] ? 0.4 : 1;
        pen.fillStyle = classes[i] >= 254 ? css(theme.gray) : css(lifted(classes[i], theme.lift));
        outline(x, y, view.size, classes[i] >= 254 ? 0 : shapeIndex(classes[i]));
        pen.fill();
        pen.stroke();
      }
    },
    finish() { pen.getImageData(0, 0, 1, 1); },
  };
}
