// @ts-check
// Focuses the search of a chooser once its dialog is there: the dialog takes the focus from it as it opens.
(() => {
  // Wagtail's globals have no types.
  const jQuery = /** @type {any} */ (window).jQuery;
  jQuery?.(document).on('shown.bs.modal', (/** @type {Event} */ { target }) => {
    const dialog = /** @type {Element} */ (target);
    /** @type {HTMLElement | null} */ (dialog.querySelector('#id_q, #shop-links-q'))?.focus();
  });
})();
