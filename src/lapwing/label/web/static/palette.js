// Ten colors that stay apart for normal sight, protanopia, deuteranopia and tritanopia, on light
// and dark ground (chosen by the largest smallest distance in OKLab); five shapes go with them.
export const COLORS = ["#6289ff", "#ebb100", "#007676", "#ff7676", "#624eb1",
  "#629d00", "#c462c4", "#9d4e00", "#00c4b1", "#c4b1ff"];
export const SHAPES = ["circle", "square", "triangle", "diamond", "cross"];
export const NONE = 255, UNSURE = 254, LABELED = 128;

/** A class's color as it is on this ground: on a dark one all are nearer to white. */
export const color = (id) => `color-mix(in srgb, ${COLORS[id % COLORS.length]}, white var(--lift))`;
export const lifted = (id, lift) => rgb(COLORS[id % COLORS.length]).map((v) => v + (1 - v) * lift);
// The shape changes from class to class, and differs when the colors begin again.
export const shapeIndex = (id) => (id + Math.floor(id / COLORS.length)) % SHAPES.length;

const PATHS = {
  circle: "M8 2.2a5.8 5.8 0 1 0 .001 0z",
  square: "M3 3h10v10H3z",
  triangle: "M8 1.8 14.4 13.4H1.6z",
  diamond: "M8 1.2 14.8 8 8 14.8 1.2 8z",
  cross: "M5.6 1.6h4.8v4h4v4.8h-4v4H5.6v-4h-4V5.6h4z",
};

/** A small picture of a class's mark. */
export function mark(id) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[SHAPES[shapeIndex(id)]]);
  path.style.fill = color(id);
  svg.append(path);
  return svg;
}

export function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
}
