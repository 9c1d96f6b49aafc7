import { useSignals } from '@preact/signals-react/runtime';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Shop } from '../api/types';
import { errorOf, type FormError } from '../form/ErrorSummary';
import { SelectField } from '../form/SelectField';
import { t } from '../i18n';
import { bothNames } from '../lang';
import * as checkout from '../stores/checkout';
import { allLines, sentProducts } from '../stores/order-draft';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Notice } from '../ui/Notice';
import { Skeleton } from '../ui/Skeleton';
import { FIRST_SHOP_ID, TIME_ID } from './pickup';
import { byDay, slotTime } from './slots';

const SHOP_ERROR_ID = `${FIRST_SHOP_ID}-error`;

const nameOf = (shop: Shop) => bothNames(shop.shopName, shop.shopNameEn).name;

/** Names the products that a shop has too few of. */
function missingNames(shop: Shop): string {
  const missing = new Set(shop.missing.map(({ goodsId }) => goodsId));
  const lines = allLines(checkout.draft.value).filter(({ goodsId }) => missing.has(goodsId));
  const names = lines.map((line) => bothNames(line.goodsName, line.goodsEnglishName).name);
  return [...new Set(names)].join(t('ui.listComma'));
}

/** Clears a chosen shop or time that is no longer offered. */
function dropStaleChoice(shops: Shop[]): void {
  const { pickup } = checkout.draft.value;
  const shop = shops.find((row) => row.shopId === pickup.pickupShopId && row.available !== false);
  const isOffered = shop?.slots.some((slot) => slot.terminalDateTime === pickup.pickupTime && slot.left > 0);
  if (!shop) checkout.choosePickup({ pickupShopId: null, pickupShoName: '', pickupTime: '' });
  else if (!isOffered) checkout.choosePickup({ ...pickup, pickupTime: '' });
}

/** Lets the customer choose a pick-up shop that has the products, and a time. */
export function PickupPicker({ errors }: { errors: readonly FormError[] }) {
  useSignals();
  const [shops, setShops] = useState<Shop[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { pickup } = checkout.draft.value;

  const load = useCallback(() => {
    setFailure(null);
    const products = sentProducts(checkout.draft.value).map(
      ({ goodsId, goodsAmount }) => `${goodsId}:${goodsAmount}`,
    );
    call<Shop[]>('GET', `/pc/shops?goods=${products.join(',')}`).then((found) => {
      dropStaleChoice(found);
      setShops(found);
    }, setFailure);
  }, []);
  useEffect(load, [load]);

  if (failure) {
    return <LoadFailure error={failure} onRetry={load} />;
  }
  if (!shops) return <Skeleton lines={2} height="5.5rem" />;
  const firstOffered = shops.find((shop) => shop.available !== false);
  if (!firstOffered) {
    return <Notice kind="warn">{t('checkout.noShopHasProducts')}</Notice>;
  }

  const chosen = shops.find((shop) => shop.shopId === pickup.pickupShopId);
  const shopError = errorOf(errors, FIRST_SHOP_ID);
  return (
    <>
      <fieldset
        className="addr"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: of groups, only one of radios can be invalid
        role="radiogroup"
        aria-invalid={shopError ? true : undefined}
        aria-describedby={shopError && SHOP_ERROR_ID}
      >
        <legend>{t('checkout.pickupAt')}</legend>
        {shopError && (
          <p className="error" id={SHOP_ERROR_ID}>
            <Icon name="circle-alert" />
            {shopError}
          </p>
        )}
        {shops.map((shop) => (
          <label className="option" key={shop.shopId}>
            <span className="check">
              <input
                id={shop === firstOffered ? FIRST_SHOP_ID : undefined}
                type="radio"
                name="shop"
                disabled={shop.available === false}
                checked={shop === chosen}
                onChange={() =>
                  checkout.choosePickup({
                    pickupShopId: shop.shopId,
                    pickupShoName: nameOf(shop),
                    pickupTime: '',
                  })
                }
              />
            </span>
            <span>
              <b>{nameOf(shop)}</b>
              <small>
                {shop.address}
                <br />
                {shop.available === false
                  ? t('checkout.shopLacks', { names: missingNames(shop) })
                  : shop.openingHours}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      {chosen && (
        <SelectField
          id={TIME_ID}
          label={t('checkout.pickupTime')}
          error={errorOf(errors, TIME_ID)}
          value={pickup.pickupTime}
          onChange={(pickupTime) =>
            checkout.choosePickup({ pickupShopId: chosen.shopId, pickupShoName: nameOf(chosen), pickupTime })
          }
        >
          <option value="">{t('address.choose')}</option>
          {byDay(chosen.slots, (slot) => slot.terminalDateTime).map(([day, slots]) => (
            <optgroup key={day} label={day}>
              {slots.map(({ terminalDateTime, left }) => (
                <option key={terminalDateTime} value={terminalDateTime} disabled={left < 1}>
                  {left < 1
                    ? t('checkout.slotFull', { time: slotTime(terminalDateTime) })
                    : `${day} ${slotTime(terminalDateTime)}`}
                </option>
              ))}
            </optgroup>
          ))}
        </SelectField>
      )}
    </>
  );
}
