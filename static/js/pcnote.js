// The advice to use a PC: dismissed once, it stays away, and never flashes up before it goes (UX 5).
(() => {
  const KEY = 'pcnote';
  const root = document.documentElement;
  const hide = () => root.classList.add('pcnote-off');
  if (localStorage.getItem(KEY) === 'off') hide();
  addEventListener('click', (event) => {
    if (!event.target.closest?.('.pcnote button')) return;
    localStorage.setItem(KEY, 'off');
    hide();
  });
})();
