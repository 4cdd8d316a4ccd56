// What lies over the points: halos, numbered pins, the row at hand, the selection, the lasso.
const css = (c, a = 1) => `rgb(${c.map((v) => Math.round(v * 255)).join(" ")} / ${a})`;
const MOST_DOTS = 4000, MOST_RINGS = 300;

export function drawMarks(map) {
  const { overlay, theme, marks, ratio } = map, pen = overlay.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, map.width, map.height);
  if (!map.n) return;
  const r = Math.max(5, map.pointSize);
  pen.lineWidth = 3;
  pen.strokeStyle = css(theme.alarm, 0.85);
  for (const i of marks.halos.slice(0, MOST_DOTS)) circle(pen, map.screen(i), r + 6);
  pen.lineWidth = 1.5;
  pen.strokeStyle = css(theme.accent, 0.9);
  if (marks.selected.length <= MOST_RINGS) for (const i of marks.selected) circle(pen, map.screen(i), r / 2 + 2.5);
  marks.pins.forEach((i, k) => pin(pen, map.screen(i), k + 1, theme, i === marks.current));
  if (marks.hover >= 0) { pen.lineWidth = 1.5; pen.strokeStyle = css(theme.ink, 0.7); circle(pen, map.screen(marks.hover), r + 3); }
  if (marks.current >= 0) target(pen, map.screen(marks.current), r, theme);
  if (marks.path.length > 1) lasso(pen, marks.path, theme);
}

function circle(pen, [x, y], r) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 7);
  pen.stroke();
}

/** A numbered pin; that of the row at hand stands above its ring. */
function pin(pen, [x, place], number, theme, here) {
  const y = here ? place - 11 : place;
  const up = 17, r = 8.5;
  pen.fillStyle = css(here ? theme.accent : theme.panel);
  pen.strokeStyle = css(theme.accent);
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(x, y - 2);
  pen.lineTo(x - 4, y - up + 6);
  pen.arc(x, y - up, r, Math.PI * 0.68, Math.PI * 2.32);
  pen.lineTo(x, y - 2);
  pen.fill();
  pen.stroke();
  pen.fillStyle = css(here ? theme.panel : theme.accent);
  pen.font = "600 10.5px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(number, x, y - up + 0.5);
}

function target(pen, [x, y], r, theme) {
  pen.lineWidth = 5;
  pen.strokeStyle = css(theme.panel, 0.9);
  circle(pen, [x, y], r + 5);
  pen.lineWidth = 2.4;
  pen.strokeStyle = css(theme.accent);
  circle(pen, [x, y], r + 5);
}

function lasso(pen, path, theme) {
  pen.beginPath();
  path.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.fillStyle = css(theme.accent, 0.1);
  pen.fill();
  pen.setLineDash([5, 4]);
  pen.lineWidth = 1.5;
  pen.strokeStyle = css(theme.accent);
  pen.stroke();
  pen.setLineDash([]);
}
