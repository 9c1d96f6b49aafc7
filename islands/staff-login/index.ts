import { captchaTicket } from '../form/captcha';

/** Passes the security check of the back office's login; a form that is sent in the meantime waits for it. */
export default async function mount(element: HTMLElement): Promise<void> {
  const ticket = element.querySelector('input');
  const form = ticket?.form;
  if (!ticket || !form) return;
  let isSent = false;
  const wait = (event: Event) => {
    event.preventDefault();
    isSent = true;
  };
  form.addEventListener('submit', wait);
  try {
    ticket.value = await captchaTicket();
  } finally {
    form.removeEventListener('submit', wait);
    if (isSent) form.requestSubmit();
  }
}
