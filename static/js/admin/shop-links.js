// @ts-check
// The chooser of the shop's pages: it searches while one types, and its buttons fill in the form that Wagtail's
// script of the dialog sends. The dialog is drawn again each time, so the document listens.
(() => {
  // Milliseconds after the last letter.
  const PAUSE = 200;
  /** @type {AbortController | undefined} */
  let asking;
  let timer = 0;

  const search = async (/** @type {HTMLFormElement} */ form) => {
    clearTimeout(timer);
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const answer = await fetch(form.action, { method: 'POST', body: new FormData(form), signal });
      const found = new DOMParser().parseFromString((await answer.json()).html, 'text/html');
      const dialog = form.closest('.shop-links');
      for (const part of ['[data-shop-links-count]', '[data-shop-links-results]']) {
        dialog?.querySelector(part)?.replaceChildren(...(found.querySelector(part)?.childNodes ?? []));
      }
    } catch {
      // A newer search, a closed dialog, or no network: what was found before stays.
    }
  };

  const formOf = (/** @type {Event} */ event) => {
    const target = /** @type {Element} */ (event.target);
    return /** @type {HTMLFormElement | null} */ (target.closest('[data-shop-links-find]'));
  };
  const searchSoon = (/** @type {Event} */ event) => {
    const form = formOf(event);
    if (!form || /** @type {InputEvent} */ (event).isComposing) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => search(form), PAUSE);
  };
  document.addEventListener('input', searchSoon);
  document.addEventListener('compositionend', searchSoon);
  document.addEventListener(
    'submit',
    (event) => {
      const form = formOf(event);
      if (!form) return;
      // Wagtail's script would draw the whole dialog again.
      event.preventDefault();
      event.stopImmediatePropagation();
      search(form);
    },
    { capture: true },
  );
  document.addEventListener('click', (event) => {
    const target = /** @type {Element} */ (event.target);
    const button = /** @type {HTMLButtonElement | null} */ (
      target.closest('[data-shop-links-results] button')
    );
    const form = /** @type {HTMLFormElement | null | undefined} */ (
      button?.closest('.shop-links')?.querySelector('[data-shop-links-chosen]')
    );
    if (!button || !form) return;
    const fill = (/** @type {string} */ name, /** @type {string} */ value) => {
      /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
    };
    fill('path', button.value);
    fill('name', button.dataset.name ?? '');
    form.requestSubmit();
  });
})();
