// Sharing a game: links, a frame for other pages, pictures, and texts.

import * as api from './api.js';
import { html } from './element.js';

/** Whether others cannot follow links to this page. */
const isLocal = location.protocol === 'file:' || /^(127\.|localhost$)/.test(location.hostname);

const address = (hash) => `${location.origin === 'null' ? 'file://' : location.origin}${location.pathname}${hash}`;

/** An SVG as PNG, with two pixels for each of its own. */
async function png(text) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = html('canvas', { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}

export class Share {
  constructor(dialog) {
    const find = (name) => dialog.querySelector(`#share-${name}`);
    Object.assign(this, { dialog, find, said: dialog.querySelector('#shared') });
    dialog.addEventListener('click', ({ target: { dataset } }) => this.act(dataset));
  }

  /** Opens the dialog for a game, of which everything but `whole` is about the position that is shown. */
  show(game) {
    this.game = game;
    const whole = address(game.whole());
    this.find('game').value = whole;
    this.find('position').value = address(`#p=${game.position()}`);
    this.find('frame').value = `<iframe src="${whole.replaceAll('&', '&amp;')}&amp;embed=1" width="420" height="540" style="border: 0" title="Dots and Boxes"></iframe>`;
    this.find('local').hidden = !isLocal;
    this.said.textContent = '';
    this.dialog.showModal();
  }

  async act({ field, text, picture }) {
    try {
      if (field) await this.copy(this.dialog.querySelector(`#${field}`).value);
      else if (text) await this.copy(text === 'game' ? this.game.toText() : (await api.write(this.game.toHash(), text)).text);
      else if (picture) await this.save(picture);
    } catch (problem) {
      this.said.textContent = problem.message;
    }
  }

  async copy(text) {
    await navigator.clipboard.writeText(text);
    this.said.textContent = 'Copied.';
  }

  async save(kind) {
    this.said.textContent = 'Drawing…';
    const { text } = await (kind === 'gif' ? api.write(this.game.whole(), 'gif') : api.write(this.game.toHash(), 'svg'));
    const href = { gif: () => text, svg: () => `data:image/svg+xml,${encodeURIComponent(text)}`, png: () => png(text) }[kind];
    html('a', { href: await href(), download: `${this.game.board.board.replaceAll(':', '-')}.${kind}` }).click();
    this.said.textContent = 'Saved.';
  }
}
