// Keeps every file of the site, so that it works without a network. A new version of the site is taken when no page of the old
// one is open any more. Files that come from here let the page share memory with workers, which few static hosts do.

// `scripts/site` writes the digest of all files here.
const VERSION = 'VERSION';
const SITE = `dab ${registration.scope} `;

async function keep() {
  const again = (path) => new Request(path, { cache: 'reload' });
  const { files } = await (await fetch(again('files.json'))).json();
  const cache = await caches.open(SITE + VERSION);
  await cache.addAll(['./', ...files].map(again));
}

async function dropOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith(SITE) && name !== SITE + VERSION);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answer(request) {
  const cache = await caches.open(SITE + VERSION);
  const response = (await cache.match(request, { ignoreSearch: true })) ?? (await fetch(request));
  // What belongs to others stays as it is.
  if (response.type === 'opaque' || response.type === 'opaqueredirect') return response;
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(body, { status, statusText, headers });
}

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(dropOthers()));
addEventListener('fetch', (event) => event.respondWith(answer(event.request)));
