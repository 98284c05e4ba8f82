// The words of the game, each with a sentence and a picture.

import { html, svg } from './element.js';

/** Each word: its meaning, and a picture in rows as diagrams have them; `~` and `:` are the lines that the sentence is about. */
const WORDS = {
  'safe line': ['No box gets its third side by it, so the other player cannot close one.', ['+-+ +', '  :  ', '+ + +']],
  'long chain': ['Three or more boxes in a row. A line in one of them lets all of them fall, one after the other.', ['+-+-+-+', '      :', '+-+-+-+']],
  loop: ['A ring of four or more boxes. A line in it gives all of them away; who keeps control hands four of them back.', ['+-+-+', '| : |', '+ + +', '|   |', '+-+-+']],
  control: ['Who is in control never has to open a long chain: the other player opens them all, one after the other.', ['+-+-+-+', '|A A  :', '+-+-+-+', '      |', '+-+-+-+']],
  handout: ['The last two boxes of a chain (four of a loop) are left to the other player, who takes them and has to open what comes next.', ['+-+-+-+', '|A|   :', '+-+-+-+']],
  sacrifice: ['One or two boxes are given away, to change who has to open the first long chain.', ['+-+-+', '|   :', '+-+-+']],
  loony: ['A line after which the other player can choose: to take all that it gives, or to make a handout and keep control.', ['+-+-+-+', ':      ', '+-+-+-+']],
  capture: ['It closes one box or two, and the same player draws again.', ['+-+', '| :', '+-+']],
  'long-chain rule': ['Every line but a handout changes the turn. So the number of long chains, even or odd, decides who has to open the first one.', ['+-+-+-+', '       ', '+-+-+-+', '       ', '+-+-+-+']],
};

/** The picture of a diagram. Every second mark of every second row is a dot; letters own their boxes. */
export function picture(rows) {
  const [width, height] = [Math.max(...rows.map((row) => row.length)), rows.length];
  const stroke = { '-': ['drawn', -1, 0], '|': ['drawn', 0, -1], '~': ['asked', -1, 0], ':': ['asked', 0, -1] };
  const [boxes, lines, dots] = [[], [], []];
  rows.forEach((row, y) => [...row].forEach((mark, x) => {
    const [name, dx, dy] = stroke[mark] ?? [];
    const of = mark.toLowerCase();
    if (name) lines.push(svg('path', { class: name, d: `M${x + dx} ${y + dy}l${-2 * dx} ${-2 * dy}` }));
    else if (mark === '+') dots.push(svg('circle', { class: 'dot', cx: x, cy: y, r: 0.17 }));
    else if (mark !== ' ') boxes.push(svg('rect', { class: `box ${of}`, x: x - 1, y: y - 1, width: 2, height: 2 }), svg('text', { class: `owner ${of}`, x, y }, mark));
  }));
  return svg('svg', { class: 'picture', viewBox: `-.5 -.5 ${width} ${height}`, width: 22 * width, height: 22 * height, 'aria-hidden': true }, ...boxes, ...lines, ...dots);
}

/** One card explains whatever word was asked about last. */
const card = html('div', { popover: 'auto', class: 'meaning', role: 'status' });
document.body.append(card);

function explain(button, name) {
  const [meaning, rows] = WORDS[name];
  card.replaceChildren(picture(rows), html('p', {}, html('b', {}, name), `: ${meaning}`));
  if (!card.matches(':popover-open')) card.showPopover();
  const { left, top, bottom } = button.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  card.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  card.style.top = `${bottom + height + 12 < innerHeight ? bottom + 4 : Math.max(8, top - height - 4)}px`;
}

/** A word of the list as a button that explains it. */
export function word(name, shown = name) {
  const button = html('button', { type: 'button', class: 'word', onclick: () => explain(button, name),
    onpointerenter: () => explain(button, name), onpointerleave: ({ pointerType }) => pointerType === 'mouse' && card.hidePopover() }, shown);
  return button;
}

/** A text with words in braces, such as `{long chain}` or `{long chain|long chains}`, as nodes. */
export const explained = (text) => text.split(/\{([^}]*)\}/).map((piece, i) => (i % 2 === 0 ? piece : word(...piece.split('|'))));
