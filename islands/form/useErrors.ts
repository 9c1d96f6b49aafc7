import { type FormEvent, useState } from 'react';
import type { FormError } from './ErrorSummary';

/** Holds the errors of a form. With `onChange` on the form, a control's error goes as it is changed. */
export function useErrors() {
  const [errors, setErrors] = useState<FormError[]>([]);
  /** Drops the errors of controls, by their ids. */
  const drop = (...ids: string[]) => setErrors((before) => before.filter(({ id = '' }) => !ids.includes(id)));
  const onChange = (event: FormEvent) => drop((event.target as Element).id);
  return { errors, setErrors, drop, onChange };
}
