import { call, ShopError } from '../api/client';

function part(form: HTMLFormElement, name: string): HTMLElement | null {
  return form.querySelector<HTMLElement>(`[data-${name}]`);
}

function tell(form: HTMLFormElement, shown: 'error' | 'done' | 'failed' | null): void {
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

/** Asks for a message when the goods of a form are back; the page says what came of it. */
export async function askForNotice(form: HTMLFormElement): Promise<void> {
  const email = form.querySelector<HTMLInputElement>('input[name="email"]');
  const button = form.querySelector('button');
  if (!email?.value.trim() || !email.checkValidity()) return tell(form, 'error');
  button?.setAttribute('aria-busy', 'true');
  try {
    await call('POST', '/pc/stockNotice', {
      goodsId: Number(form.dataset.notice),
      email: email.value.trim(),
    });
    tell(form, 'done');
  } catch (error) {
    const wrong = error instanceof ShopError && error.reason === 'parameter_error';
    tell(form, wrong ? 'error' : 'failed');
  } finally {
    button?.removeAttribute('aria-busy');
  }
}
