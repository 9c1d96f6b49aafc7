import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/client';
import type { Device, DeviceList } from '../api/types';
import { t } from '../i18n';
import { lang, pageUrl } from '../lang';
import { formatDay, formatTime } from '../orders/dates';
import { endSession } from '../stores/session';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';
import { show, showError } from '../ui/toast';

const PATH = '/pc/setting/devices';

const nameOf = ({ device, deviceZh }: Device) => (lang() === 'zh' ? deviceZh : device);

/** Lists where the customer is logged in, and logs them out there (docs/wire.md#devices). */
export function Devices() {
  const [devices, setDevices] = useState<Device[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  const load = useCallback(() => {
    setFailure(null);
    call<DeviceList>('GET', PATH).then(({ list }) => setDevices(list), setFailure);
  }, []);
  useEffect(load, [load]);

  /** Ends logins; those of `stay` are left. */
  async function end(path: string, stay: (device: Device) => boolean, done: string) {
    if (busy) return;
    setBusy(true);
    try {
      await call('DELETE', path);
      setDevices((before) => before?.filter(stay) ?? null);
      show('ok', done);
      // The pressed button has gone with its device.
      heading.current?.focus();
    } catch (error) {
      showError(error);
      load();
    }
    setBusy(false);
  }

  async function leaveEverywhere() {
    if (busy) return;
    setBusy(true);
    try {
      await call('DELETE', `${PATH}?everywhere=true`);
      endSession();
      location.assign(pageUrl('/home'));
    } catch (error) {
      setAsking(false);
      setBusy(false);
      showError(error);
    }
  }

  const others = devices?.some((device) => !device.isCurrent);
  return (
    <section className="panel stack">
      <h2 ref={heading} tabIndex={-1}>
        {t('security.devices')}
      </h2>
      <p className="soft">{t('security.devicesText')}</p>
      {failure !== null && <LoadFailure error={failure} onRetry={load} />}
      {failure === null && !devices && <Skeleton lines={2} height="4rem" />}
      {devices && (
        <>
          <ul className="f">
            {devices.map((device) => (
              <li className="device" key={device.id}>
                <span>
                  <b>{nameOf(device)}</b>{' '}
                  {device.isCurrent && <span className="badge badge--info">{t('security.thisDevice')}</span>}
                  <br />
                  <small className="muted">
                    {t('security.times', {
                      login: formatTime(device.loginTime),
                      used: formatDay(device.lastUsed),
                    })}
                  </small>
                </span>
                {!device.isCurrent && (
                  <Button
                    kind="line"
                    size="sm"
                    aria-label={t('security.logOutOf', { device: nameOf(device) })}
                    onClick={() =>
                      end(
                        `${PATH}/${device.id}`,
                        ({ id }) => id !== device.id,
                        t('security.loggedOut', { device: nameOf(device) }),
                      )
                    }
                  >
                    {t('security.logOut')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {!others && <p className="muted">{t('security.onlyHere')}</p>}
          <div className="row row--wrap">
            {others && (
              <Button
                kind="soft"
                busy={busy}
                onClick={() => end(PATH, ({ isCurrent }) => isCurrent, t('security.othersLoggedOut'))}
              >
                {t('security.logOutOthers')}
              </Button>
            )}
            <Button kind="line" onClick={() => setAsking(true)}>
              {t('security.logOutEverywhere')}
            </Button>
          </div>
        </>
      )}
      {asking && (
        <Dialog
          title={t('security.everywhereTitle')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button busy={busy} onClick={leaveEverywhere}>
                {t('security.logOutEverywhere')}
              </Button>
              <Button kind="quiet" onClick={() => setAsking(false)}>
                {t('security.cancel')}
              </Button>
            </>
          }
        >
          <p>{t('security.everywhereText')}</p>
        </Dialog>
      )}
    </section>
  );
}
