// The framed shop is made to fit; following a link in it asks for that page at the same time.
(() => {
  const form = document.querySelector('[data-ahead]');
  const frame = document.querySelector('[data-ahead-frame]');
  if (!form || !frame) return;
  const fit = () => {
    frame.style.zoom = Math.min(1, frame.parentElement.clientWidth / frame.width);
  };
  fit();
  addEventListener('resize', fit);
  const follow = (event) => {
    const link = event.target.closest('a[href]');
    if (!link || link.getAttribute('href').startsWith('#')) return;
    event.preventDefault();
    const { origin, pathname } = new URL(link.href);
    if (origin !== location.origin) return;
    const isChinese = /^\/zh-hans(\/|$)/.test(pathname);
    form.elements.path.value = isChinese ? pathname.slice('/zh-hans'.length) || '/home' : pathname;
    form.elements.language.value = isChinese ? 'zh-hans' : 'en';
    form.submit();
  };
  const listen = () => frame.contentDocument?.addEventListener('click', follow);
  frame.addEventListener('load', listen);
  listen();
})();
