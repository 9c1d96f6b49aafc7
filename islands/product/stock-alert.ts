import { call, ShopError } from '../api/client';

function part(form: HTMLFormElement, name: string): HTMLElement | null {
  return form.querySelector<HTMLElement>(`[data-${name}]`);
}

function showLine(form: HTMLFormElement, shown: 'error' | 'done' | 'failed' | null): void {
  for (const name of ['error', 'done', 'failed']) {
    const line = part(form, name);
    if (line) line.hidden = name !== shown;
  }
  const field = form.querySelector<HTMLInputElement>('input[name="email"]');
  if (shown === 'error') {
    field?.setAttribute('aria-invalid', 'true');
    field?.focus();
  } else field?.removeAttribute('aria-invalid');
}

/** Asks for a stock alert for a form's product and shows the outcome. */
export async function askForAlert(form: HTMLFormElement): Promise<void> {
  const email = form.querySelector<HTMLInputElement>('input[name="email"]');
  const button = form.querySelector('button');
  if (!email?.value.trim() || !email.checkValidity()) return showLine(form, 'error');
  button?.setAttribute('aria-busy', 'true');
  try {
    await call('POST', '/pc/stockNotice', {
      goodsId: Number(form.dataset.stockAlert),
      email: email.value.trim(),
    });
    showLine(form, 'done');
  } catch (error) {
    const wrong = error instanceof ShopError && error.reason === 'parameter_error';
    showLine(form, wrong ? 'error' : 'failed');
  } finally {
    button?.removeAttribute('aria-busy');
  }
}
