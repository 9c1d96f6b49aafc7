import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useRef, useState } from 'react';
import { loadTextsOf, t } from '../i18n';
import { formatAud, toCents } from '../money';
import * as prices from '../stores/cart-prices';
import { DEFAULT_COUNTRY, type Place, placeLine } from '../stores/known-place';
import { place, rememberTyped } from '../stores/place';
import { later } from '../ui/later';
import { Notice } from '../ui/Notice';
import { FreeDelivery } from './FreeDelivery';
import type { CartPreview } from './preview';

const PlaceForm = later(async () => {
  await loadTextsOf('place');
  return (await import('../addresses/PlaceForm')).PlaceForm;
}, '16rem');

/** Writes a place in short, one abroad with its country in the page's language; empty for none. */
function usePlaceLine(place: Place | null): string {
  const isAbroad = place !== null && place.country !== DEFAULT_COUNTRY;
  const known = place ? placeLine(place, isAbroad ? place.country : '') : '';
  const [abroad, setAbroad] = useState({ of: '', line: '' });
  useEffect(() => {
    let isOver = false;
    if (place && isAbroad) {
      import('../addresses/abroad')
        .then(({ lineAbroad }) => lineAbroad(place))
        .then((line) => isOver || setAbroad({ of: known, line }), console.warn);
    }
    return () => {
      isOver = true;
    };
  }, [place, isAbroad, known]);
  return isAbroad && abroad.of === known ? abroad.line : known;
}

/** Shows in the cart's totals what sending the checked lines to the last place costs (docs/product.md#checkout). */
export function FreightEstimate({ preview, refused }: Pick<CartPreview, 'preview' | 'refused'>) {
  useSignals();
  const to = place.value;
  const line = usePlaceLine(to);
  const freight = preview?.freight ?? null;
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  const unknown = refused ? 'freight.notSent' : to ? 'freight.unknown' : 'cart.freightLater';
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
      <dd className={freight === null ? 'muted' : undefined} aria-live="polite">
        {freight === null ? t(unknown) : formatAud(toCents(freight))}
      </dd>
      <dd className="wide small">
        <div className="row row--wrap">
          {to && <span>{t('freight.to', { place: line })}</span>}
          <button type="button" className="link" ref={opener} aria-expanded={open} onClick={toggle}>
            {t(to ? 'checkout.change' : 'freight.ask')}
          </button>
        </div>
        {preview && <FreeDelivery freeFrom={preview.freeFrom} />}
        {refused && <Notice kind="warn">{refused}</Notice>}
        {asked && isEmpty && <Notice kind="danger">{t('freight.nothingSelected')}</Notice>}
        {open && <PlaceForm initial={to} onPlace={choose} />}
      </dd>
    </div>
  );
}
