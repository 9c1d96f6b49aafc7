// The strips above every page, decided before anything is painted: the advice to use a PC, which stays away
// once dismissed (UX 5), and inside WeChat how to leave its browser.
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
    if (!event.target.closest?.('.pcnote button')) return;
    localStorage.setItem(KEY, 'off');
    hide();
  });
})();
