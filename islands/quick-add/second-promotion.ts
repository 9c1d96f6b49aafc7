/*
 * States that an order has one promotion only, when products of a second one are added (docs/product.md#carts). Its own
 * script, since most customers never do that; it gets the carts from its caller, so that they stay one script.
 */
import { loadTextsOf, t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, toCents } from '../money';
import type { CartProduct } from '../stores/cart-rules';
import { nameOf } from '../stores/cart-words';
import type { Group } from '../stores/promotion-cart';
import type { Promotion } from '../stores/snapshot';
import { show } from '../ui/toast';

type OfferedProduct = CartProduct & { action: Promotion };

/**
 * Offers the ordinary price of a product that was just added in a second promotion. `groups`: those of the promotion
 * cart; `takeOrdinary`: moves the product to the ordinary cart.
 */
export async function explainSecond(
  product: OfferedProduct,
  groups: readonly Group[],
  takeOrdinary: (product: CartProduct) => void,
): Promise<void> {
  const { action } = product;
  const id = action.goodsActionTypeId;
  if (!groups.some((group) => group.valid && group.goodsActionTypeId !== id)) return;
  await loadTextsOf('cart');
  const memberPrice = product.wasPrice ?? product.memberPrice;
  const { name: promotion } = bothNames(action.goodsActionTypeName, action.goodsActionTypeNameEn);
  show('warn', t('promotion.second', { name: nameOf(product), promotion }), {
    label: t('promotion.ordinary', { price: formatAud(toCents(memberPrice)) }),
    act: () => takeOrdinary({ ...product, memberPrice }),
  });
}
