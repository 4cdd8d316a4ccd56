// One key labels and goes on.
import { $ } from "./dom.js";

const typing = (target) => target.matches?.("input:not([type=range]), textarea, select") ?? false;

export function startKeys(app) {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return app.letGo();
    if (typing(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((event.ctrlKey || event.metaKey) && key === "z") {
      event.preventDefault();
      return event.shiftKey ? app.redo() : app.undo();
    }
    if ((event.ctrlKey || event.metaKey) && key === "y") { event.preventDefault(); return app.redo(); }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Enter" && event.target.matches?.("button, a, summary")) return;
    const does = commands(app)[key] ?? classOf(app, key);
    if (!does || (event.repeat && !key.startsWith("Arrow"))) return;
    event.preventDefault();
    does();
  });
}

function classOf(app, key) {
  const found = app.head?.classes.find((c) => c.key === key);
  return found && (() => app.label(found.id));
}

function commands(app) {
  return {
    Enter: () => app.accept(),
    s: () => app.unsure(),
    Delete: () => app.unlabel(),
    Backspace: () => app.unlabel(),
    u: () => app.undo(),
    n: () => app.next(),
    j: () => app.suspect(1),
    k: () => app.suspect(-1),
    l: () => app.lasso(),
    a: () => app.lassoed.length && app.takeLabeled(),
    c: () => app.editClass(null),
    "/": () => $("search").focus(),
    "?": () => $("keys").showModal(),
    "+": () => app.map.zoom(1.4),
    "=": () => app.map.zoom(1.4),
    "-": () => app.map.zoom(1 / 1.4),
    ArrowLeft: () => app.map.pan(60, 0),
    ArrowRight: () => app.map.pan(-60, 0),
    ArrowUp: () => app.map.pan(0, 60),
    ArrowDown: () => app.map.pan(0, -60),
  };
}
