import { Points } from './Points';
import { Voucher } from './Voucher';

/** What a customer may pay less by: a voucher, and points. */
export function Reductions() {
  return (
    <>
      <Voucher />
      <Points />
    </>
  );
}
