// How far the work on a file is, asked once a second; when it has ended, the page shows what came of it.
(() => {
  const section = document.querySelector('[data-progress]');
  const bar = section?.querySelector('progress');
  if (!bar) return;
  const look = async () => {
    try {
      const answer = await fetch(section.dataset.progress, { headers: { Accept: 'application/json' } });
      const state = await answer.json();
      if (!state.isWork) return location.reload();
      bar.max = state.all || 1;
      bar.value = state.done;
    } catch {
      // The server may be away for a moment.
    }
    setTimeout(look, 1000);
  };
  setTimeout(look, 1000);
})();
