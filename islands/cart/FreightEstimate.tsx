import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useRef, useState } from 'react';
import { countryName, useCountries } from '../addresses/useCountries';
import { t } from '../i18n';
import { formatAud, toCents } from '../money';
import { DEFAULT_COUNTRY, type Place, placeLine } from '../stores/address';
import * as prices from '../stores/cart-prices';
import { askFreight, type Quote } from '../stores/freight';
import { place, rememberTyped } from '../stores/place';
import type { Line } from '../stores/snapshot';
import { later } from '../ui/later';
import { Notice } from '../ui/Notice';

/** The cart may change several times in a row. */
const ASKED_AFTER_MS = 500;

const PlaceForm = later(async () => (await import('../addresses/PlaceForm')).PlaceForm, '16rem');

/** Gives what sending lines to a place costs: null while it is not known, or cannot be. */
function useEstimate(to: Place | null, lines: readonly Line[]): Quote | null {
  const [quote, setQuote] = useState<Quote | null>(null);
  const goods = lines.map(({ goodsId, goodsAmount }) => ({ goodsId, goodsAmount }));
  const question = JSON.stringify([to, goods]);

  useEffect(() => {
    const [where, what] = JSON.parse(question);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      // A failure is no more than a missing estimate: the checkout says why.
      const found = await askFreight(where, what, controller.signal).catch(() => null);
      if (!controller.signal.aborted) setQuote(found);
    }, ASKED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [question]);

  return quote;
}

/** Names a place; one abroad with its country in the page's language. */
function Abroad({ to }: { to: Place }) {
  const country = useCountries().find((row) => row.en === to.country);
  return t('freight.to', { place: placeLine(to, country ? countryName(country) : to.country) });
}

function Missing({ amount }: { amount: number | null | undefined }) {
  if (typeof amount !== 'number') return null;
  const text = amount > 0 ? t('freight.missing', { amount: formatAud(toCents(amount)) }) : t('freight.free');
  return <p className="free-from">{text}</p>;
}

/** Shows in the cart's totals what sending the checked lines to the last place costs (docs/product.md#checkout). */
export function FreightEstimate() {
  useSignals();
  const to = place.value;
  const quote = useEstimate(to, prices.checked.value);
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  const isEmpty = prices.checked.value.length === 0;
  const opener = useRef<HTMLButtonElement>(null);

  function toggle() {
    setAsked(false);
    setOpen(!open);
  }

  function choose(chosen: Place) {
    rememberTyped(chosen);
    setOpen(false);
    setAsked(true);
    opener.current?.focus();
  }

  return (
    <div className="wraps">
      <dt>{t(to ? 'freight.estimate' : 'cart.freight')}</dt>
      <dd className={quote ? undefined : 'muted'} aria-live="polite">
        {quote ? formatAud(toCents(quote.freight)) : t(to ? 'freight.unknown' : 'cart.freightLater')}
      </dd>
      <dd className="wide small">
        <div className="row row--wrap">
          {to && (
            <span>
              {to.country === DEFAULT_COUNTRY ? (
                t('freight.to', { place: placeLine(to, to.country) })
              ) : (
                <Abroad to={to} />
              )}
            </span>
          )}
          <button type="button" className="link" ref={opener} aria-expanded={open} onClick={toggle}>
            {t(to ? 'checkout.change' : 'freight.ask')}
          </button>
        </div>
        <Missing amount={quote?.missingForFree} />
        {asked && isEmpty && <Notice kind="danger">{t('freight.nothingSelected')}</Notice>}
        {open && <PlaceForm initial={to} onPlace={choose} />}
      </dd>
    </div>
  );
}
