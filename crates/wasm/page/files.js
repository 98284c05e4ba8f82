// The files of the site, which lie beside this one. The page in one file has another version of this (`files-in-page.js`).

const at = (path) => new URL(path, import.meta.url);

/** The bytes of a file. */
export async function file(path) {
  const response = await fetch(at(path));
  if (!response.ok) throw new Error(`${path} is missing on this site.`);
  return response.arrayBuffer();
}

/** The address of the worker's script. */
export const workerAddress = () => at('worker.js');

// Once it was loaded, the site works without a network.
const { serviceWorker } = navigator;
serviceWorker?.register(at('offline.js')).catch(() => {});

// Pages that come from there have threads, so a newcomer's page is loaded once more, unless it is in use already.
if (window === top && !crossOriginIsolated) {
  const stay = new AbortController();
  for (const use of ['pointerdown', 'keydown']) addEventListener(use, () => stay.abort(), { capture: true, signal: stay.signal });
  serviceWorker?.addEventListener('controllerchange', () => location.reload(), { signal: stay.signal });
}
