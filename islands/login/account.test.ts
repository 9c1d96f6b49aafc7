// @vitest-environment node

import { describe, expect, it } from 'vitest';
import { looksLikeAccount, mobileAccount, passwordIsLongEnough } from './account';

describe('mobileAccount', () => {
  it.each([
    ['61', '0400 123 456', '+61400123456'],
    ['61', '400123456', '+61400123456'],
    ['86', '138-0000-0000', '+8613800000000'],
    ['61', '+86 138 0000 0000', '+8613800000000'],
    ['61', '0086 138 0000 0000', '+8613800000000'],
    ['61', '  ', ''],
  ])('with dial code %s turns %j into %j', (dialCode, typed, account) => {
    expect(mobileAccount(dialCode, typed)).toBe(account);
  });
});

describe('looksLikeAccount', () => {
  it('recognises e-mail addresses', () => {
    expect(looksLikeAccount('email', 'mei@example.com')).toBe(true);
    expect(looksLikeAccount('email', 'mei@example')).toBe(false);
    expect(looksLikeAccount('email', 'me i@example.com')).toBe(false);
    expect(looksLikeAccount('email', '')).toBe(false);
  });

  it('recognises mobile numbers', () => {
    expect(looksLikeAccount('mobile', '+61400123456')).toBe(true);
    expect(looksLikeAccount('mobile', '+61')).toBe(false);
    expect(looksLikeAccount('mobile', '+61400abc456')).toBe(false);
  });
});

describe('passwordIsLongEnough', () => {
  it('accepts six digits or anything longer', () => {
    expect(passwordIsLongEnough('888888')).toBe(true);
    expect(passwordIsLongEnough('abcdefg')).toBe(true);
  });

  it('refuses shorter ones, and more than 128 characters', () => {
    expect(passwordIsLongEnough('88888')).toBe(false);
    expect(passwordIsLongEnough('abcdef')).toBe(false);
    expect(passwordIsLongEnough('x'.repeat(129))).toBe(false);
  });
});
