// @ts-check
// Decides before the first paint which strip is above the page (docs/product.md#local-cache).
(() => {
  const KEY = 'pcnote';
  const EXPIRES = 'pcnote.expires';
  const EXPIRES_AFTER_MINUTES = 43_200;
  const root = document.documentElement;
  const hide = () => root.classList.add('pcnote-off');
  if (/MicroMessenger/i.test(navigator.userAgent)) {
    root.classList.add('in-wechat');
    hide();
  }
  const keep = () => {
    localStorage.setItem(KEY, 'off');
    localStorage.setItem(EXPIRES, String(Date.now() + EXPIRES_AFTER_MINUTES * 60_000));
    hide();
  };
  const end = localStorage.getItem(EXPIRES);
  if (end !== null && Number(end) <= Date.now()) localStorage.removeItem(KEY);
  if (localStorage.getItem(KEY) === 'off') keep();
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.pcnote button')) keep();
  });
  // Once is enough: the page that shows it is the only one until it expires.
  addEventListener('pagehide', () => {
    const note = document.querySelector('.pcnote');
    if (note && getComputedStyle(note).display !== 'none') keep();
  });
})();
