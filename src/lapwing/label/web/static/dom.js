// Small helpers. Text from the data only ever goes through textContent.
export const $ = (id) => document.getElementById(id);

/** An element with a class, text and children. */
export function make(tag, { text, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** Buttons keep the keyboard's focus, but not the mouse's: Enter must not press them twice. */
export function onClick(element, does) {
  element.addEventListener("click", (event) => {
    if (event.detail) element.blur();
    does(event);
  });
}

export const percent = (x, digits = 0) => `${(100 * x).toFixed(digits)} %`;
export const count = (n, word, plural = `${word}s`) => `${n.toLocaleString("en")} ${n === 1 ? word : plural}`;
