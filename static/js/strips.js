// @ts-check
// Decides before the first paint which strip is above the page: the advice to use a PC until it is dismissed
// (docs/ux.md#interaction), or inside WeChat how to open another browser.
(() => {
  const KEY = 'pcnote';
  const root = document.documentElement;
  const hide = () => root.classList.add('pcnote-off');
  if (/MicroMessenger/i.test(navigator.userAgent)) {
    root.classList.add('in-wechat');
    hide();
  }
  if (localStorage.getItem(KEY) === 'off') hide();
  addEventListener('click', (event) => {
    if (!(event.target instanceof Element && event.target.closest('.pcnote button'))) return;
    localStorage.setItem(KEY, 'off');
    hide();
  });
})();
