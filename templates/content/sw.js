// Shows the shop's own page while there is no network. It keeps that page and its looks, nothing else: prices and
// accounts always come from the shop itself.
const KEPT = [{% for url in kept %}'{{ url|escapejs }}'{% if not forloop.last %}, {% endif %}{% endfor %}];
const CACHE = 'offline-' + KEPT.join('|');

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const drop = (names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === 'navigate') {
    const page = path.startsWith('/zh-hans') ? KEPT[1] : KEPT[0];
    event.respondWith(fetch(request).catch(() => caches.match(page)));
  } else if (KEPT.includes(path)) {
    event.respondWith(fetch(request).catch(() => caches.match(path)));
  }
});
