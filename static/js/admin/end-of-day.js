// @ts-check
// Completes a date without a time to the end of its day, before the picker of times completes it to its beginning.
// The fields are those of `EndTimeInput` (site/core/time_fields.py).
document.addEventListener(
  'blur',
  ({ target }) => {
    const isEnd = target instanceof HTMLInputElement && 'endOfDay' in target.dataset;
    if (isEnd && /^\s*\d{4}-\d{1,2}-\d{1,2}\s*$/.test(target.value)) {
      target.value = `${target.value.trim()} 23:59`;
    }
  },
  true,
);
