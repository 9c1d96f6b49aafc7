import type { ReactNode } from 'react';
import { Icon } from './Icon';
import type { IconName } from './icons';

type Kind = 'info' | 'ok' | 'warn' | 'danger';

const ICON: Record<Kind, IconName> = {
  info: 'info',
  ok: 'circle-check',
  warn: 'triangle-alert',
  danger: 'circle-alert',
};

interface Props {
  kind?: Kind;
  children: ReactNode;
  /** What the customer can do about it. */
  action?: ReactNode;
}

/** A message that stays in the page; `danger` is announced immediately. */
export function Notice({ kind = 'info', children, action }: Props) {
  return (
    <div
      className={kind === 'info' ? 'notice' : `notice notice--${kind}`}
      role={kind === 'danger' ? 'alert' : undefined}
    >
      <Icon name={ICON[kind]} />
      <div>{children}</div>
      {action}
    </div>
  );
}
