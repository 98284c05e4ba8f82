// The files of the site, within the page: each in an element that has its path as `id`, in base 64.

const inBase64 = (path) => `data:text/javascript;base64,${document.getElementById(path).textContent.trim()}`;

/** The bytes of a file. */
export const file = async (path) => (await fetch(inBase64(path))).arrayBuffer();

/** The address of the worker's script. Workers begin from no `data:`, but from a copy of it. */
export const workerAddress = async () => URL.createObjectURL(new Blob([await file('worker.js')], { type: 'text/javascript' }));
