import { loadTextsOf } from '../i18n';
import { later } from '../ui/later';

/** The security check, which most customers never see, or once (docs/ux.md#security-check). */
export const SecurityCheck = later(async () => {
  const [{ CaptchaControl }] = await Promise.all([import('./CaptchaControl'), loadTextsOf('captcha')]);
  return CaptchaControl;
}, '5.5rem');
