// A page opened as a file has no modules: browsers load them from web servers only. This script is none, so it can say so.

if (location.protocol === 'file:') {
  addEventListener('DOMContentLoaded', () => {
    document.querySelector('#verdict').textContent =
      'Browsers open this page from a web server only, such as "python3 -m http.server" in its directory.';
  });
}
