import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useState } from 'react';
import { countDown, type Left } from '../clock';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { maxAmount } from '../stores/cart-rules';
import * as promotions from '../stores/promotion-cart';
import { type Line, type Promotion, savesTogether } from '../stores/snapshot';
import { Icon } from '../ui/Icon';
import { CartGroup } from './CartGroup';

function Countdown({ endsAt }: { endsAt: string }) {
  const [left, setLeft] = useState<Left | null>(null);
  useEffect(() => countDown(Date.parse(endsAt), setLeft), [endsAt]);
  return (
    <span className="push countdown countdown--inline" role="timer" aria-live="off">
      <Icon name="timer" />
      {left && t('promotion.endsIn', { ...left })}
    </span>
  );
}

/** Shows how many more units of a line make some of them free; empty where it has as many as it takes, or can have. */
function hintOf(line: Line, { buyUnits, freeUnits }: Promotion): string {
  if (!buyUnits || !freeUnits) return '';
  const beyond = line.goodsAmount % (buyUnits + freeUnits);
  const count = buyUnits + freeUnits - beyond;
  if (beyond < buyUnits || line.goodsAmount + count > maxAmount(line)) return '';
  return t('cart.moreForFree', { count, free: freeUnits });
}

interface Props {
  group: promotions.Group;
  /** CNY for one AUD. */
  rate: number;
}

/** Shows the products of one promotion with the time left. */
export function PromotionGroup({ group, rate }: Props) {
  useSignals();
  const id = group.goodsActionTypeId;
  const { name } = bothNames(group.goodsActionTypeName, group.goodsActionTypeNameEn);
  const actions = {
    change: (goodsId: number, delta: number) => promotions.change(id, goodsId, delta),
    check: (goodsId: number, on: boolean) => promotions.check(id, goodsId, on),
    checkAll: (on: boolean) => promotions.checkAll(id, on),
    messageOf: () => undefined,
    hintOf: (line: Line) => hintOf(line, group),
  };
  return (
    <CartGroup
      title={name}
      lines={group.shoppingCart}
      actions={actions}
      rate={rate}
      className="group--promo"
      aside={<Countdown endsAt={group.endTimeIso} />}
      totalName={savesTogether(group) ? t('cart.fullPrice') : undefined}
      note={bothNames(group.rule ?? '', group.ruleEn ?? '').name}
    />
  );
}
