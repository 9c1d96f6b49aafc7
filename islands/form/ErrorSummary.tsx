import { useEffect, useRef } from 'react';
import { t } from '../i18n';

/** An error of one control, by its id; without an id, of the whole form. */
export interface FormError {
  id?: string;
  text: string;
}

/** Lists a form's errors, takes the focus, and links to each control (docs/ux.md#interaction). */
export function ErrorSummary({ errors }: { errors: readonly FormError[] }) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(errors);
  // Every submit makes new errors, so the focus returns here even for the same ones; it stays when some of them go.
  useEffect(() => {
    if (errors.some((error) => !before.current.includes(error))) box.current?.focus();
    before.current = errors;
  }, [errors]);
  if (!errors.length) return null;
  return (
    <div className="summary-error" role="alert" tabIndex={-1} ref={box}>
      <b>{t('form.problem')}</b>
      <ul>
        {errors.map(({ id, text }) => (
          <li key={`${id}${text}`}>
            {id ? (
              <a
                href={`#${id}`}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(id)?.focus();
                }}
              >
                {text}
              </a>
            ) : (
              text
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Gives the error text of one control, if it has one. */
export function errorOf(errors: readonly FormError[], id: string): string | undefined {
  return errors.find((error) => error.id === id)?.text;
}
