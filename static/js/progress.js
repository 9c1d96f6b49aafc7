// @ts-check
// Polls the progress of a file's import or export; when it has ended the page reloads with the result.
(() => {
  const section = document.querySelector('[data-progress]');
  const bar = section?.querySelector('progress');
  const url = section?.getAttribute('data-progress');
  if (!bar || !url) return;
  const poll = async () => {
    try {
      const answer = await fetch(url, { headers: { Accept: 'application/json' } });
      const state = await answer.json();
      if (!state.isWork) return location.reload();
      bar.max = state.all || 1;
      bar.value = state.done;
    } catch {
      // A lost answer is no reason to stop.
    }
    setTimeout(poll, 1000);
  };
  setTimeout(poll, 1000);
})();
