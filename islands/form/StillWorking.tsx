import { useEffect, useState } from 'react';
import { t } from '../i18n';

const LONG_WAIT = 8000;

/** Says that a long wait is still one, 8 s after `busy` has begun (UX 5). */
export function StillWorking({ busy }: { busy: boolean }) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setLong(true), LONG_WAIT);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [busy]);
  return (
    <p className="small muted" role="status">
      {long ? t('ui.stillWorking') : ''}
    </p>
  );
}
