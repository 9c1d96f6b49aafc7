// @ts-check
// Account pages: sends a visitor without a token to the login page before the first paint (docs/product.md#pages).
(() => {
  const root = document.documentElement;
  const guard = () => {
    if (localStorage.getItem('token')) return;
    root.hidden = true;
    location.replace(
      `${root.dataset.login}?redirect=${encodeURIComponent(location.pathname + location.search + location.hash)}`,
    );
  };
  guard();
  // Back after a logout restores the page from the back/forward cache without running this file.
  addEventListener('pageshow', (event) => event.persisted && guard());
})();
