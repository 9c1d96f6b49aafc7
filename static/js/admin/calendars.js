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
