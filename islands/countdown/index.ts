import { countDown, type Left, syncClock } from '../clock';
import texts from '../i18n/loader.json';
import { lang } from '../lang';

interface Props {
  /** When the promotion ends, ISO 8601. */
  endsAt: string;
}

const UNITS = ['days', 'hours', 'minutes', 'seconds'] as const;

/** Turns the page's placeholder into a timer; gives the function that updates it. */
function startClock(element: HTMLElement): (left: Left) => void {
  const clock = element.querySelector<HTMLElement>('.countdown');
  const numbers = [...(clock?.querySelectorAll('b') ?? [])];
  clock?.removeAttribute('aria-hidden');
  clock?.setAttribute('role', 'timer');
  return (left) => {
    for (const [index, unit] of UNITS.entries()) {
      const number = numbers[index];
      if (number) number.textContent = String(left[unit]).padStart(2, '0');
    }
  };
}

/** Marks the promotion around the element as ended: nothing can be bought at its prices. */
function end(element: HTMLElement): void {
  const line = document.createElement('p');
  line.className = 'semi';
  line.setAttribute('role', 'status');
  line.textContent = texts[lang()].ended;
  element.replaceChildren(line);
  const promotion = element.closest<HTMLElement>('[data-promotion]');
  if (promotion) promotion.dataset.ended = '';
}

/** Counts down, by the server's clock, to the end of the promotion around the element. */
export default async function mount(element: HTMLElement, { endsAt }: Props): Promise<void> {
  await syncClock();
  const fill = startClock(element);
  countDown(Date.parse(endsAt), (left) => (left ? fill(left) : end(element)));
}
