import { captchaTicket } from '../form/captcha';

/** Passes the security check of the back office's login, and lets the form be sent when that is done. */
export default async function mount(element: HTMLElement): Promise<void> {
  const ticket = element.querySelector('input');
  const button = element.closest('form')?.querySelector<HTMLButtonElement>('button[type=submit]');
  if (!ticket || !button) return;
  button.disabled = true;
  try {
    ticket.value = await captchaTicket();
  } finally {
    button.disabled = false;
  }
}
