import type { Arrival } from '../api/types';
import { Icon } from '../ui/Icon';
import { deliveryLines, pickupLine } from './words';

interface Props {
  arrival: Arrival;
  /** Whether it is when an order comes, instead of what is possible at the earliest. */
  isBooked?: boolean;
}

/** Shows when the van comes or the parcels arrive, and when products can be picked up; nothing where it is not known. */
export function ArrivalNote({ arrival, isBooked = false }: Props) {
  const deliveries = deliveryLines(arrival, isBooked);
  const pickup = pickupLine(arrival, isBooked);
  if (deliveries.length === 0 && !pickup) return null;
  return (
    <ul className="f arrival">
      {deliveries.map((line) => (
        <li key={line}>
          <Icon name="truck" />
          <span>{line}</span>
        </li>
      ))}
      {pickup && (
        <li>
          <Icon name="store" />
          <span>{pickup}</span>
        </li>
      )}
    </ul>
  );
}
