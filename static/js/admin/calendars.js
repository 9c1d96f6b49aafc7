// @ts-check
// Puts the calendar of a date into the form, below its field: on top of the form it would cover what comes after,
// such as the button that saves.
document.addEventListener('focusin', ({ target }) => {
  const field = /** @type {Element} */ (target);
  // Wagtail's globals have no types.
  const calendar = /** @type {any} */ (window).jQuery?.(field).data('xdsoft_datetimepicker')?.[0];
  if (!calendar || field.nextElementSibling === calendar) return;
  calendar.classList.add('calendar-in-form');
  field.after(calendar);
});

// A press outside closes the calendar immediately. Its room stays until the press has ended: else the button
// below would
// move away from under the pointer, and the press would do nothing.
document.addEventListener(
  'pointerdown',
  ({ target }) => {
    for (const calendar of document.querySelectorAll('.calendar-in-form')) {
      const place = /** @type {HTMLElement} */ (calendar.parentElement);
      if (!calendar.clientHeight || calendar.contains(/** @type {Node} */ (target))) continue;
      place.style.minHeight = `${place.offsetHeight}px`;
      const end = new AbortController();
      const free = () => {
        end.abort();
        setTimeout(() => place.style.removeProperty('min-height'));
      };
      for (const name of ['pointerup', 'pointercancel']) addEventListener(name, free, { signal: end.signal });
    }
  },
  { capture: true },
);
