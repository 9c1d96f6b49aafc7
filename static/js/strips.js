// @ts-check
// Decides before the first paint which strip is above the page: the advice to use a PC until it is dismissed
// (docs/product.md#local-cache), or inside WeChat how to open another browser.
(() => {
  const KEY = 'pcnote';
  const EXPIRES = `${KEY}.expires`;
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
  if (end !== null && Number(end) <= Date.now()) {
    localStorage.removeItem(KEY);
    localStorage.removeItem(EXPIRES);
  }
  if (localStorage.getItem(KEY) === 'off') keep();
  addEventListener('click', (event) => {
    if (!(event.target instanceof Element && event.target.closest('.pcnote button'))) return;
    keep();
  });
})();
