import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useRef, useState } from 'react';
import { usePlaceLine } from '../addresses/usePlaceLine';
import { loadTextsOf, t } from '../i18n';
import { pageUrl } from '../lang';
import { formatAud, toCents } from '../money';
import * as prices from '../stores/cart-prices';
import type { Place } from '../stores/known-place';
import { place, rememberTyped } from '../stores/place';
import { later } from '../ui/later';
import { Notice } from '../ui/Notice';
import { FreeDelivery } from './FreeDelivery';
import type { CartPreview } from './preview';

const CloseGap = later(async () => (await import('./CloseGap')).CloseGap, '0');
const NextArrival = later(async () => {
  await loadTextsOf('place');
  return (await import('../arrival/NextArrival')).NextArrival;
}, '1.5rem');
const PlaceForm = later(async () => {
  await loadTextsOf('place');
  return (await import('../addresses/PlaceForm')).PlaceForm;
}, '16rem');

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
  // Another place, such as that of the default address after a login, ends what was begun for the last one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => setOpen(false), [to]);

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
          <a className="link" href={pageUrl('/delivery')}>
            {t('freight.fees')}
          </a>
        </div>
        {!isEmpty && <NextArrival to={refused ? null : to} goods={prices.checked.value} />}
        {preview && <FreeDelivery freeFrom={preview.freeFrom} />}
        {preview?.freeFrom?.some(({ missing }) => missing > 0) && <CloseGap freeFrom={preview.freeFrom} />}
        {refused && <Notice kind="warn">{refused}</Notice>}
        {asked && isEmpty && <Notice kind="danger">{t('freight.nothingSelected')}</Notice>}
        {open && <PlaceForm initial={to} onPlace={choose} />}
      </dd>
    </div>
  );
}
