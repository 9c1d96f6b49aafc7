import { t } from '../i18n';
import { Button } from '../ui/Button';
import { show } from '../ui/toast';

interface Props {
  /** What is copied. */
  text: string;
  /** What it is, as in its label. */
  name: string;
}

/** A button that copies a text, and confirms it. */
export function Copy({ text, name }: Props) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      show('ok', t('instructions.copied', { name }));
    } catch {
      // A page without https, or a browser that does not allow it.
      show('error', t('instructions.notCopied'));
    }
  }
  return (
    <Button kind="quiet" size="sm" aria-label={t('instructions.copyOf', { name })} onClick={copy}>
      {t('instructions.copy')}
    </Button>
  );
}
