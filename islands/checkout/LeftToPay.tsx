import { useSignals } from '@preact/signals-react/runtime';
import { useEffect } from 'react';
import type { PayResult } from '../api/types';
import { PaidPart } from '../pay/PaidPart';
import * as checkout from '../stores/checkout';
import { callAs } from '../stores/payment';

/** Shows what is left to pay of the placed order, of which a part may have been paid from the wallet. */
export function LeftToPay() {
  useSignals();
  const { orderNo, owner, payAmount, leftToPay } = checkout.draft.value;
  const isPaying = checkout.paying.value;

  useEffect(() => {
    if (isPaying) return;
    // Without it the button keeps its text, and the gateway shows what is left.
    callAs<PayResult>(owner, 'GET', `/pc/pay/result/${orderNo}`).then(
      (result) => checkout.noteLeft(result.leftToPay, result.walletHeld),
      console.warn,
    );
  }, [owner, orderNo, isPaying]);

  return <PaidPart payAmount={payAmount ?? 0} leftToPay={leftToPay} />;
}
