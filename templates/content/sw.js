{# Context: cached #}// Shows the shop's own page while there is no network. It keeps that page and its looks, nothing else: prices and
// accounts always come from the shop itself.
const CACHED = [{% for url in cached %}'{{ url|escapejs }}'{% if not forloop.last %}, {% endif %}{% endfor %}];
const CACHE = 'offline-' + CACHED.join('|');

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(CACHED)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const drop = (names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === 'navigate') {
    const page = path.startsWith('/zh-hans') ? CACHED[1] : CACHED[0];
    event.respondWith(fetch(request).catch(() => caches.match(page)));
  } else if (CACHED.includes(path)) {
    event.respondWith(fetch(request).catch(() => caches.match(path)));
  }
});
