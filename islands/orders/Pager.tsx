import { t } from '../i18n';
import { pagerNumbers } from './listing';

interface Props {
  page: number;
  last: number;
  /** Gives the address of a page. */
  urlOf: (page: number) => string;
}

/** Links the pages of a list of orders; nothing where there is one page alone. */
export function Pager({ page, last, urlOf }: Props) {
  if (last <= 1) return null;
  return (
    <div className="loadinfo">
      <nav className="pager" aria-label={t('orders.pages')}>
        {pagerNumbers(page, last).map((number) => (
          <a
            key={number}
            href={urlOf(number)}
            aria-current={number === page ? 'page' : undefined}
            aria-label={t('orders.page', { number })}
          >
            {number}
          </a>
        ))}
      </nav>
    </div>
  );
}
