/** What every island's module exports: it takes over its element. */
export interface Island {
  default: (element: HTMLElement, props: never) => void | Promise<void>;
}

/** The islands by the name the templates use; each import is a chunk of its own. */
export const registry: Record<string, () => Promise<Island>> = {
  carousel: () => import('./carousel'),
  cart: () => import('./cart'),
  'cart-drawer': () => import('./cart-drawer'),
  account: () => import('./account'),
  addresses: () => import('./addresses'),
  countdown: () => import('./countdown'),
  checkout: () => import('./checkout'),
  goods: () => import('./goods'),
  list: () => import('./list'),
  login: () => import('./login'),
  'order-details': () => import('./order-details'),
  orders: () => import('./orders'),
  'pay-result': () => import('./pay-result'),
  suggest: () => import('./suggest'),
};
