import { type IconName, symbol } from './icons';

/** Draws a symbol of the page's sprite, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="i" aria-hidden="true">
      <use href={symbol(name)} />
    </svg>
  );
}
