// Light or dark: as the system says, until the person says otherwise.
import { rgb } from "./palette.js";

const NAMES = ["ground", "ink", "gray", "accent", "alarm", "panel"];

export function startTheme(button, changed) {
  const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)");
  let own = null;
  try { own = localStorage.getItem("lapwing-theme"); } catch { /* private window */ }
  const show = () => {
    root.dataset.theme = own ?? (system.matches ? "dark" : "light");
    const style = getComputedStyle(root);
    const found = Object.fromEntries(NAMES.map((n) => [n, rgb(style.getPropertyValue(`--${n}`).trim())]));
    changed({ ...found, lift: parseFloat(style.getPropertyValue("--lift")) / 100 });
  };
  button.addEventListener("click", () => {
    own = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("lapwing-theme", own); } catch { /* private window */ }
    show();
  });
  system.addEventListener("change", show);
  show();
}
