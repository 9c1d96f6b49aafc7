import { countDown, type Left, syncClock } from '../clock';
import texts from '../i18n/loader.json';
import { lang } from '../lang';

interface Props {
  /** When the promotion ends, with its offset from UTC. */
  endsAt: string;
}

const UNITS = ['days', 'hours', 'minutes', 'seconds'] as const;

/** Takes over the clock that the page holds a place for; gives what fills it in. */
function startClock(element: HTMLElement): (left: Left) => void {
  const clock = element.querySelector<HTMLElement>('.countdown');
  const numbers = [...(clock?.querySelectorAll('b') ?? [])];
  clock?.removeAttribute('aria-hidden');
  clock?.setAttribute('role', 'timer');
  return (left) => {
    for (const [place, unit] of UNITS.entries()) {
      const number = numbers[place];
      if (number) number.textContent = String(left[unit]).padStart(2, '0');
    }
  };
}

/** Turns the promotion that holds the element into one that is over; nothing can be bought at its prices. */
function end(element: HTMLElement): void {
  const line = document.createElement('p');
  line.className = 'semi';
  line.setAttribute('role', 'status');
  line.textContent = texts[lang()].ended;
  element.replaceChildren(line);
  const promotion = element.closest<HTMLElement>('[data-promotion]');
  if (promotion) promotion.dataset.ended = '';
}

/** Counts down, by the server's clock, to the end of the promotion that the element stands in. */
export default async function mount(element: HTMLElement, { endsAt }: Props): Promise<void> {
  await syncClock();
  const fill = startClock(element);
  countDown(Date.parse(endsAt), (left) => (left ? fill(left) : end(element)));
}
