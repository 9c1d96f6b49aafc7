import { countDown, type Left, syncClock } from '../clock';
import texts from '../i18n/loader.json';
import { lang } from '../lang';

interface Props {
  /** When the promotion ends, with its offset from UTC. */
  endsAt: string;
}

const UNITS = ['days', 'hours', 'minutes', 'seconds'] as const;

function boxes(): [HTMLElement, (left: Left) => void] {
  const words = texts[lang()];
  const clock = document.createElement('div');
  clock.className = 'countdown';
  clock.setAttribute('role', 'timer');
  clock.setAttribute('aria-live', 'off');
  const numbers = UNITS.map((unit) => {
    const box = document.createElement('span');
    const number = document.createElement('b');
    const word = document.createElement('small');
    word.textContent = words[unit];
    box.append(number, word);
    clock.append(box);
    return number;
  });
  const fill = (left: Left) => {
    for (const [place, unit] of UNITS.entries()) {
      const number = numbers[place];
      if (number) number.textContent = String(left[unit]).padStart(2, '0');
    }
  };
  return [clock, fill];
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
  const [clock, fill] = boxes();
  element.append(clock);
  countDown(Date.parse(endsAt), (left) => (left ? fill(left) : end(element)));
}
