// @ts-check
// Scales the framed shop to fit, and shows the page behind a link in it at the same chosen time.
(() => {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector('[data-preview]'));
  const frame = /** @type {HTMLIFrameElement | null} */ (document.querySelector('[data-preview-frame]'));
  if (!form || !frame) return;
  const scaleFrame = () => {
    const width = frame.parentElement?.clientWidth ?? 0;
    frame.style.zoom = String(Math.min(1, width / Number(frame.width)));
  };
  scaleFrame();
  addEventListener('resize', scaleFrame);
  const setField = (/** @type {string} */ name, /** @type {string} */ value) => {
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
  };
  const openLink = (/** @type {MouseEvent} */ event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href]');
    const href = link?.getAttribute('href');
    if (!href || href.startsWith('#')) return;
    event.preventDefault();
    const { origin, pathname } = new URL(href, frame.contentDocument?.baseURI);
    if (origin !== location.origin) return;
    const isChinese = /^\/zh-hans(\/|$)/.test(pathname);
    setField('path', isChinese ? pathname.slice('/zh-hans'.length) || '/home' : pathname);
    setField('language', isChinese ? 'zh-hans' : 'en');
    form.submit();
  };
  const listen = () => frame.contentDocument?.addEventListener('click', openLink);
  frame.addEventListener('load', listen);
  listen();
})();
