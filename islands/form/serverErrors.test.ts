import { beforeAll, describe, expect, it } from 'vitest';
import { ShopError } from '../api/errors';
import { loadTexts } from '../i18n';
import { serverErrors } from './serverErrors';

const refusal = (reason: string, fields?: Record<string, string>) =>
  new ShopError({ code: 1002, status: 200, reason, fields });

describe('serverErrors', () => {
  beforeAll(() => loadTexts());

  it('maps each field to its control', () => {
    const error = refusal('parameter_error', { account: 'parameter_error', code: 'verification_code_error' });
    const texts = { account: 'Enter an account', code: 'Enter six digits' };
    expect(serverErrors(error, { account: 'a', code: 'c' }, texts)).toEqual([
      { id: 'a', text: 'Enter an account' },
      { id: 'c', text: 'Verification code error' },
    ]);
  });

  it('maps a reason to a control when no field is named', () => {
    expect(serverErrors(refusal('password_wrong'), { password_wrong: 'p' })).toEqual([
      { id: 'p', text: 'Wrong password' },
    ]);
  });

  it('gives an error of the whole form without a control', () => {
    expect(serverErrors(refusal('too_frequent'), {})).toEqual([
      { id: undefined, text: 'Your operation is too frequent, please try again later' },
    ]);
    expect(serverErrors(new Error('the captcha was not solved'), {})).toEqual([
      { text: 'Something went wrong. Please try again' },
    ]);
  });
});
