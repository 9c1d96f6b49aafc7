import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { Wallet, type WalletProps } from './Wallet';

/** Mounts the wallet's page. */
export default async (element: HTMLElement, props: WalletProps) => {
  await loadTextsOf('wallet');
  await mountPersonal(element, Wallet, props);
};
