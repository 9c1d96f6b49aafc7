import { expect, it, vi } from 'vitest';
import { captchaTicket } from '../form/captcha';
import mount from '.';

vi.mock('../form/captcha', () => ({ captchaTicket: vi.fn() }));

function openLogin() {
  document.body.innerHTML = `
    <main><form><shop-island><input name="ticket" type="hidden"></shop-island><button>Sign in</button></form></main>`;
  const sent: string[] = [];
  const form = document.querySelector('form') as HTMLFormElement;
  document.querySelector('main')?.addEventListener('submit', (event) => {
    if (!event.defaultPrevented) sent.push(form.ticket.value);
    event.preventDefault();
  });
  return { form, sent, mounted: mount(document.querySelector('shop-island') as HTMLElement) };
}

it('sends a form that was sent during the security check once, with the ticket', async () => {
  let pass: (ticket: string) => void = () => {};
  vi.mocked(captchaTicket).mockReturnValue(new Promise((resolve) => (pass = resolve)));
  const { form, sent, mounted } = openLogin();
  form.requestSubmit();
  form.requestSubmit();
  expect(sent).toEqual([]);
  pass('ticket');
  await mounted;
  expect(sent).toEqual(['ticket']);
});

it('sends nothing automatically, and a failed security check holds no form back', async () => {
  vi.mocked(captchaTicket).mockResolvedValueOnce('ticket').mockRejectedValueOnce(new Error('offline'));
  const { sent, mounted } = openLogin();
  await mounted;
  expect(sent).toEqual([]);

  const failed = openLogin();
  failed.form.requestSubmit();
  await expect(failed.mounted).rejects.toThrow('offline');
  expect(failed.sent).toEqual(['']);
});
