/** What the module of an island exports. */
interface Island {
  default: (element: HTMLElement, props: never) => void | Promise<void>;
}

/** The islands by their name in templates; each import is its own chunk. */
export const registry: Record<string, () => Promise<Island>> = {
  carousel: () => import('./carousel'),
  cart: () => import('./cart'),
  'cart-drawer': () => import('./cart-drawer'),
  account: () => import('./account'),
  addresses: () => import('./addresses'),
  claims: () => import('./claims'),
  countdown: () => import('./countdown'),
  checkout: () => import('./checkout'),
  product: () => import('./product'),
  favourites: () => import('./favourites'),
  'later-cards': () => import('./later-cards'),
  list: () => import('./list'),
  login: () => import('./login'),
  logistics: () => import('./logistics'),
  'order-details': () => import('./order-details'),
  orders: () => import('./orders'),
  recent: () => import('./recent'),
  privacy: () => import('./privacy'),
  reorder: () => import('./reorder'),
  rewards: () => import('./rewards'),
  'pay-result': () => import('./pay-result'),
  'staff-login': () => import('./staff-login'),
  suggest: () => import('./suggest'),
  wallet: () => import('./wallet'),
};
