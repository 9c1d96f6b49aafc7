import { t } from '../i18n';
import { pageUrl } from '../lang';

/** Links what a customer agrees to by registering; `terms`: path of the terms of sale, empty without such a page. */
export function Agreement({ terms }: { terms: string }) {
  return (
    <p className="small muted">
      {t('login.agree.before')}{' '}
      {terms && (
        <>
          <a className="link" href={terms} target="_blank" rel="noreferrer">
            {t('login.agree.terms')}
          </a>{' '}
          {t('login.agree.and')}{' '}
        </>
      )}
      <a className="link" href={pageUrl('/home/privacyPolicy')} target="_blank" rel="noreferrer">
        {t('login.agree.privacy')}
      </a>
      {t('login.agree.after')}
    </p>
  );
}
