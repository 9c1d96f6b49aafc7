// Account pages: sends a visitor without a token to the login page before anything is painted (SPEC 2).
(() => {
  const root = document.documentElement;
  const guard = () => {
    if (localStorage.getItem('token')) return;
    root.hidden = true;
    location.replace(`${root.dataset.login}?redirect=${encodeURIComponent(location.pathname + location.search)}`);
  };
  guard();
  // Back after a logout shows the page from memory, without loading this file again.
  addEventListener('pageshow', (event) => event.persisted && guard());
})();
