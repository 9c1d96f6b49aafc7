// @ts-check
// Keeps what is ticked in a chooser of several rows while a search or another page replaces its list. All that is
// chosen is above the button that confirms, in the order of ticking, and can be unticked there.
(() => {
  const { chosen = '' } = document.currentScript?.dataset ?? {};
  const TICKS = '[data-multiple-choice-select]';

  /** @param {HTMLElement} form @param {HTMLElement} list @param {HTMLInputElement} confirm */
  const keepTicks = (form, list, confirm) => {
    /** @type {Map<string, HTMLElement>} the entries above the button, by the ids of the rows */
    const kept = new Map();
    const basket = document.createElement('div');
    basket.className = 'kept-ticks';
    const count = document.createElement('p');
    count.setAttribute('role', 'status');
    const rows = document.createElement('div');
    rows.className = 'kept-ticks__rows';
    confirm.before(basket);
    basket.append(count, rows, confirm);

    /** @param {HTMLInputElement} box */
    const keep = ({ value, labels, title }) => {
      const row = document.createElement('label');
      const box = document.createElement('input');
      Object.assign(box, { type: 'checkbox', name: 'id', value, checked: true });
      row.append(box, labels?.[0]?.textContent?.trim() ?? title);
      rows.append(row);
      kept.set(value, row);
    };
    /** @param {string} id */
    const drop = (id) => {
      const row = kept.get(id);
      kept.delete(id);
      const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
      const hadFocus = row?.contains(document.activeElement);
      row?.remove();
      const next = neighbour?.querySelector('input') ?? form.querySelector('input');
      if (hadFocus) next?.focus();
    };
    const show = () => {
      for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (list.querySelectorAll(TICKS))) {
        // The boxes above the button are what is sent.
        box.removeAttribute('name');
        box.checked = kept.has(box.value);
      }
      count.textContent = chosen.replace('{count}', `${kept.size}`);
      confirm.disabled = !kept.size;
    };
    form.addEventListener('change', ({ target }) => {
      const box = /** @type {HTMLInputElement} */ (target);
      if (box.checked) keep(box);
      else drop(box.value);
      show();
    });
    new MutationObserver(show).observe(list, { childList: true });
    // Quick editors tick while the dialog still opens.
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (list.querySelectorAll(TICKS))) {
      if (box.checked) keep(box);
    }
    show();
  };

  // Wagtail's globals have no types.
  const jQuery = /** @type {any} */ (window).jQuery;
  jQuery?.(document).on('shown.bs.modal', (/** @type {Event} */ { target }) => {
    const dialog = /** @type {Element} */ (target);
    const form = /** @type {HTMLElement | null} */ (dialog.querySelector('[data-multiple-choice-form]'));
    const list = /** @type {HTMLElement | null} */ (form?.querySelector('#search-results'));
    const confirm = /** @type {HTMLInputElement | null} */ (
      form?.querySelector('[data-multiple-choice-submit]')
    );
    if (form && list && confirm) keepTicks(form, list, confirm);
  });
})();
