// Choices of the player, which the browser keeps between visits. Without storage they last as long as the page.

const KEY = 'dab';

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

const kept = load();

/** A choice; undefined before it was made. */
export const recall = (name) => kept[name];

export function keep(name, value) {
  kept[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The choice holds for this page.
  }
}
