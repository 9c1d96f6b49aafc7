import { signal } from '@preact/signals-core';
import { useSignals } from '@preact/signals-react/runtime';
import { PlaceForm } from '../addresses/PlaceForm';
import { t } from '../i18n';
import { place, rememberTyped } from '../stores/place';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { mountOnce } from '../ui/mount';

const isOpen = signal(false);
const close = () => {
  isOpen.value = false;
};

function PlaceDialog() {
  useSignals();
  if (!isOpen.value) return null;
  return (
    <Dialog
      title={t('place.title')}
      onClose={close}
      actions={
        <Button kind="quiet" onClick={close}>
          {t('place.cancel')}
        </Button>
      }
    >
      <p className="small muted">{t('place.hint')}</p>
      <PlaceForm
        initial={place.value}
        onPlace={(chosen) => {
          rememberTyped(chosen);
          close();
        }}
      />
    </Dialog>
  );
}

const mount = mountOnce(PlaceDialog);
// Another tab, or the default address after a login, may have answered the question.
document.addEventListener('shop:place', close);

/** Opens the dialog that asks where deliveries go. */
export async function openPlaceDialog(): Promise<void> {
  await mount();
  isOpen.value = true;
}
