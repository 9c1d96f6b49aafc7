import { errorText, t } from '../i18n';
import { Button } from './Button';
import { Notice } from './Notice';

interface Props {
  /** What the call was refused with. */
  error: unknown;
  onRetry: () => void;
}

/** Shows why something could not be loaded, with a button that tries again. */
export function LoadFailure({ error, onRetry }: Props) {
  return (
    <Notice
      kind="danger"
      action={
        <Button kind="quiet" onClick={onRetry}>
          {t('ui.tryAgain')}
        </Button>
      }
    >
      {errorText(error)}
    </Notice>
  );
}
