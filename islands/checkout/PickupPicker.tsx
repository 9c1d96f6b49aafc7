import { useSignals } from '@preact/signals-react/runtime';
import { Fragment, useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/client';
import type { Shop } from '../api/types';
import { errorOf, type FormError } from '../form/ErrorSummary';
import { t } from '../i18n';
import { bothNames } from '../lang';
import * as checkout from '../stores/checkout';
import { allLines, sentProducts } from '../stores/order-draft';
import { countOf } from '../stores/snapshot';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Notice } from '../ui/Notice';
import { Skeleton } from '../ui/Skeleton';
import { chosenShop, FIRST_SHOP_ID, hasAll, shops, TIME_ID } from './pickup';
import { SlotPicker } from './SlotPicker';

const SHOP_ERROR_ID = `${FIRST_SHOP_ID}-error`;

const nameOf = (shop: Shop) => bothNames(shop.shopName, shop.shopNameEn).name;

/** Lists what a shop has too few of: the product's name, how many are wanted, and how many are there. */
function missingOf(shop: Shop): { goodsId: number; name: string; wanted: number; left: number }[] {
  return shop.missing.map(({ goodsId, left }) => {
    const lines = allLines(checkout.draft.value).filter((line) => line.goodsId === goodsId);
    const [line] = lines;
    const name = line ? bothNames(line.goodsName, line.goodsEnglishName).name : '';
    return { goodsId, name, wanted: countOf(lines), left };
  });
}

/** Clears a chosen shop or time that is no longer offered. */
function dropStaleChoice(found: Shop[]): void {
  const { pickup } = checkout.draft.value;
  const shop = found.find((row) => row.shopId === pickup.pickupShopId);
  const isOffered =
    shop &&
    hasAll(shop) &&
    shop.slots.some((slot) => slot.terminalDateTime === pickup.pickupTime && slot.left > 0);
  if (!shop) checkout.choosePickup({ pickupShopId: null, pickupShoName: '', pickupTime: '' });
  else if (!isOffered) checkout.choosePickup({ ...pickup, pickupTime: '' });
}

function choose(shop: Shop): void {
  checkout.choosePickup({ pickupShopId: shop.shopId, pickupShoName: nameOf(shop), pickupTime: '' });
}

/** Shows whether a shop has all products, before it is chosen. */
function Availability({ shop }: { shop: Shop }) {
  return hasAll(shop) ? (
    <small className="shop-has">
      <Icon name="circle-check" />
      {t('checkout.shopHasAll')}
    </small>
  ) : (
    <small className="shop-has shop-has--not">
      <Icon name="triangle-alert" />
      {t('checkout.shopLacksSome', { count: shop.missing.length })}
    </small>
  );
}

interface LackingProps {
  shop: Shop;
  others: readonly Shop[];
  onChoose: (shop: Shop) => void;
}

/** Names what the chosen shop has too few of, and offers the shops that have all. */
function Lacking({ shop, others, onChoose }: LackingProps) {
  return (
    <Notice kind="warn">
      <p>{t('checkout.shopLacks', { shop: nameOf(shop) })}</p>
      <ul>
        {missingOf(shop).map(({ goodsId, name, wanted, left }) => (
          <li key={goodsId}>
            {left > 0
              ? t('checkout.shopHasFew', { name, wanted, left })
              : t('checkout.shopHasNone', { name })}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div className="stack shop-others">
          <p>{t('checkout.shopsWithAll')}</p>
          <div className="row row--wrap">
            {others.map((other) => (
              <Button key={other.shopId} kind="line" size="sm" onClick={() => onChoose(other)}>
                {t('checkout.pickupFrom', { name: nameOf(other) })}
              </Button>
            ))}
          </div>
        </div>
      )}
    </Notice>
  );
}

/** Lets the customer choose a pick-up shop that has the products, and a time. */
export function PickupPicker({ errors }: { errors: readonly FormError[] }) {
  useSignals();
  const [failure, setFailure] = useState<unknown>(null);
  const { pickup } = checkout.draft.value;

  // The pressed button goes with its message, so the focus moves to what is chosen next.
  const moves = useRef(false);
  useEffect(() => {
    if (moves.current && pickup.pickupShopId) document.getElementById(TIME_ID)?.focus();
    moves.current = false;
  }, [pickup.pickupShopId]);

  function chooseOther(shop: Shop) {
    moves.current = true;
    choose(shop);
  }

  const load = useCallback(() => {
    setFailure(null);
    const products = sentProducts(checkout.draft.value).map(
      ({ goodsId, goodsAmount }) => `${goodsId}:${goodsAmount}`,
    );
    call<Shop[]>('GET', `/pc/shops?goods=${products.join(',')}`).then((found) => {
      dropStaleChoice(found);
      shops.value = found;
    }, setFailure);
  }, []);
  useEffect(load, [load]);

  if (failure) {
    return <LoadFailure error={failure} onRetry={load} />;
  }
  const found = shops.value;
  if (!found) return <Skeleton lines={2} height="5.5rem" />;
  const offered = found.filter(hasAll);
  const first = offered[0] ?? found[0];
  const chosen = chosenShop();
  const shopError = errorOf(errors, FIRST_SHOP_ID);
  return (
    <>
      {offered.length === 0 && <Notice kind="warn">{t('checkout.noShopHasProducts')}</Notice>}
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
        {found.map((shop) => (
          <label className="option" key={shop.shopId}>
            <span className="check">
              <input
                id={shop === first ? FIRST_SHOP_ID : undefined}
                type="radio"
                name="shop"
                checked={shop === chosen}
                onChange={() => choose(shop)}
              />
            </span>
            <span>
              <b>{nameOf(shop)}</b>
              <small>
                {shop.address}
                <br />
                {shop.openingHours.split(' · ').map((run, index) => (
                  <Fragment key={run}>
                    {index > 0 && ' · '}
                    <span className="nowrap">{run}</span>
                  </Fragment>
                ))}
              </small>
              <Availability shop={shop} />
            </span>
          </label>
        ))}
      </fieldset>
      <div role="status">
        {chosen && !hasAll(chosen) && <Lacking shop={chosen} others={offered} onChoose={chooseOther} />}
      </div>
      {chosen && hasAll(chosen) && (
        <SlotPicker
          key={chosen.shopId}
          id={TIME_ID}
          label={t('checkout.pickupTime')}
          error={errorOf(errors, TIME_ID)}
          slots={chosen.slots.map(({ terminalDateTime, left }) => ({
            start: terminalDateTime,
            end: '',
            left,
          }))}
          value={pickup.pickupTime}
          onChoose={({ start }) =>
            checkout.choosePickup({
              pickupShopId: chosen.shopId,
              pickupShoName: nameOf(chosen),
              pickupTime: start,
            })
          }
        />
      )}
    </>
  );
}
