import { useEffect, useRef } from 'react';
import { t } from '../i18n';

/** What is wrong with one control, by its id; without an id it concerns the whole form. */
export interface FormError {
  id?: string;
  text: string;
}

/** Lists all that keeps a form from being sent, takes the focus, and leads to each control (UX 5). */
export function ErrorSummary({ errors }: { errors: readonly FormError[] }) {
  const box = useRef<HTMLDivElement>(null);
  // A new array comes with every try, so the focus returns here even when the errors are the same.
  useEffect(() => {
    if (errors.length) box.current?.focus();
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

/** Gives the text for one control, if there is any. */
export function errorOf(errors: readonly FormError[], id: string): string | undefined {
  return errors.find((error) => error.id === id)?.text;
}
