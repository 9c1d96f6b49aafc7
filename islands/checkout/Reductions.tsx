import { LeftOut } from './LeftOut';
import { Points } from './Points';
import { Voucher } from './Voucher';

/** What a customer may pay less by, a voucher and points, and gifts that are left out. */
export function Reductions({ pointsPerDollar }: { pointsPerDollar: number }) {
  return (
    <>
      <Voucher />
      <Points pointsPerDollar={pointsPerDollar} />
      <LeftOut />
    </>
  );
}
