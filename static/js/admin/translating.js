// @ts-check
// Shows how much of a page is left to translate, and jumps from text to text. The texts themselves are drawn
// and
// saved by wagtail-localize.
(() => {
  const footer = /** @type {HTMLElement | null} */ (document.querySelector('[data-translation-footer]'));
  const editor = document.querySelector('.js-translation-editor');
  if (!footer || !editor) return;
  const { leftText = '', doneText = '' } = footer.dataset;
  const total = Number(footer.dataset.total);
  const bar = footer.querySelector('progress');
  const words = footer.querySelector('[data-translation-left]');
  const parts = (/** @type {string} */ name) =>
    /** @type {NodeListOf<HTMLElement>} */ (footer.querySelectorAll(`[data-translation-${name}]`));
  let left = -1;

  /** Opens the field of the first text that is not translated. */
  const openNext = () => {
    const text = editor.querySelector('li.incomplete, li.errored');
    if (!text) return;
    const tab = text.closest('section[hidden]')?.id;
    if (tab) /** @type {HTMLElement | null} */ (editor.querySelector(`[aria-controls="${tab}"]`))?.click();
    text.scrollIntoView({ block: 'center' });
    const field = text.querySelector('textarea');
    // The last button of a text opens its field, or saves it where it is open.
    if (field) field.focus();
    /** @type {HTMLElement | undefined} */ else [...text.querySelectorAll('button')].at(-1)?.click();
  };

  const count = () => {
    for (const field of editor.querySelectorAll('textarea:not([aria-label])')) {
      // The text to translate is its label.
      field.setAttribute('aria-label', field.closest('li')?.querySelector('p')?.textContent ?? '');
    }
    const before = left;
    left = editor.querySelectorAll('li.incomplete, li.errored').length;
    if (left === before) return;
    const text = left ? leftText : doneText;
    if (words) words.textContent = text.replace('{left}', `${left}`).replace('{total}', `${total}`);
    if (bar) bar.value = total - left;
    for (const part of parts('next')) part.hidden = !left;
    for (const part of parts('done')) part.hidden = left > 0;
    // A text that was saved takes the focus with it.
    const isOnTheWay = left < before && document.activeElement === document.body;
    if (isOnTheWay && left) openNext();
    else if (isOnTheWay) parts('done')[0]?.querySelector('button')?.focus();
    else if (before < 0 && location.hash === '#translate') openNext();
  };

  new MutationObserver(count).observe(editor, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['class'],
  });
  // A picture that loads above moves the field away.
  const keepInView = () => {
    const field = document.activeElement;
    if (field?.matches('textarea') && editor.contains(field)) field.scrollIntoView({ block: 'center' });
  };
  editor.addEventListener('load', keepInView, { capture: true });
  for (const button of parts('next'))
    if (button.matches('button')) button.addEventListener('click', openNext);
})();
