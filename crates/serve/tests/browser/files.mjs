// A plain file server, as static hosts are.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
/** The files lie below this, as those of a site may. */
const BELOW = '/some/where/';

/** Serves the files of a directory and nothing else; returns `address` and `close`. */
export async function serveFiles(dir) {
  const server = createServer(async ({ url }, response) => {
    const path = new URL(url, 'http://localhost').pathname;
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const file = path.startsWith(BELOW) ? await readFile(join(dir, name.slice(BELOW.length))).catch(() => null) : null;
    response.writeHead(file ? 200 : 404, { 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' });
    response.end(file);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${server.address().port}${BELOW}`, close };
}
