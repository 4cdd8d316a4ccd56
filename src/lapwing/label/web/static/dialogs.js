// Asking for a class: a new one, another name, or the class it is merged with.
import { $ } from "./dom.js";

/** What the person wishes: {action, given}, or null. */
export function askClass(classes, id) {
  const dialog = $("class-dialog"), found = classes.find((c) => c.id === id);
  const others = classes.filter((c) => c.id !== id);
  $("class-title").textContent = found ? "Rename or merge a class" : "New class";
  $("class-name").value = found?.name ?? "";
  $("merge-field").hidden = $("merge").hidden = !found || !others.length;
  $("merge-into").replaceChildren(...others.map((c) => new Option(c.name, c.id)));
  $("class-name").onkeydown = (event) => {
    if (event.key === "Enter") { event.preventDefault(); dialog.close("ok"); }
  };
  dialog.returnValue = "";
  dialog.showModal();
  $("class-name").select();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(wish(dialog.returnValue, found)), { once: true });
  });
}

function wish(answer, found) {
  const name = $("class-name").value.trim();
  if (answer === "merge" && found) return { action: "merge-classes", given: { class: found.id, into: Number($("merge-into").value) } };
  if (answer !== "ok" || !name || name === found?.name) return null;
  return found ? { action: "rename-class", given: { class: found.id, name } } : { action: "add-class", given: { name } };
}
