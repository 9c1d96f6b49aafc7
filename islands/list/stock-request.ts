import { call } from '../api/client';

/** Asks the shop to stock what the button's search did not find, and shows the outcome below the button. */
export async function requestProduct(button: HTMLButtonElement): Promise<void> {
  const show = (shown: 'done' | 'failed') => {
    for (const name of ['done', 'failed']) {
      const line = button.closest('.empty')?.querySelector<HTMLElement>(`[data-request-${name}]`);
      if (line) line.hidden = name !== shown;
    }
  };
  button.setAttribute('aria-busy', 'true');
  try {
    await call('POST', '/pc/stockRequest', { word: button.dataset.stockRequest });
    button.disabled = true;
    show('done');
  } catch {
    show('failed');
  } finally {
    button.removeAttribute('aria-busy');
  }
}
