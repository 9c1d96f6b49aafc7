// @vitest-environment node

import { describe, expect, it } from 'vitest';
import { safeRedirect } from './redirect';

const ORIGIN = 'https://shop.example';
const FALLBACK = '/home';

describe('safeRedirect', () => {
  it.each([
    '/home/account',
    '/home/account/orders?status=unpaid&page=2',
    '/home/account/orderdetails/20261121-0417#history',
    '/zh-hans/home/createOrder/delivery',
    '/shop?word=%E8%9A%9D%E6%B2%B9&brandName=Lee%20Kum%20Kee',
    '/shop?word=noodle+soup&page=3',
    '/shop?next=https%3A%2F%2Felsewhere.example',
    '/shop?next=https://elsewhere.example',
    '/home/@someone',
    '/a//b',
    '/',
    '/home/login-help',
  ])('accepts the path %j of our own origin', (path) => {
    expect(safeRedirect(path, FALLBACK, ORIGIN)).toBe(path);
  });

  it.each([
    null,
    undefined,
    '',
    ' ',
    'home/account',
    '?redirect=/home',
    '#top',
    '.',
    '../home',
    'https://elsewhere.example',
    'HTTPS://elsewhere.example/home',
    'https:/elsewhere.example',
    'https:elsewhere.example',
    'http://shop.example@elsewhere.example/',
    'https://shop.example/home',
    'https://user:secret@shop.example/home',
    '//elsewhere.example',
    '///elsewhere.example',
    '////elsewhere.example/home',
    '//user@elsewhere.example',
    '//user:secret@shop.example/home',
    '//shop.example:444/home',
    '//2130706433/',
    '//[::1]/',
    '/\\elsewhere.example',
    '\\/elsewhere.example',
    '\\\\elsewhere.example',
    '/home\\..\\..\\elsewhere',
    '/home?next=\\elsewhere',
    '/%5Celsewhere.example',
    '/%5c%5celsewhere.example',
    '/%2F%2Felsewhere.example',
    '/%2felsewhere.example',
    '/.//elsewhere.example',
    '/..//elsewhere.example',
    '/home/..//elsewhere.example',
    '/%2e//elsewhere.example',
    '/\t/elsewhere.example',
    '/\n/elsewhere.example',
    '/\r\n/elsewhere.example',
    '\t//elsewhere.example',
    ' //elsewhere.example',
    ' /home',
    '/home\u0000',
    '/home\u001f',
    '/home\u007f',
    '/home\u00a0',
    '/home\u200b',
    '/\u3000/elsewhere.example',
    '\ufeff//elsewhere.example',
    '/home%00',
    '/home%0d%0aSet-Cookie:a=b',
    '/home%7f',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://shop.example/1',
    'mailto:someone@elsewhere.example',
    '\u2044\u2044elsewhere.example',
    '／／elsewhere.example',
    '/home/login',
    '/home/login?redirect=/home/login',
    '/zh-hans/home/login',
    '/home/./login',
    `/${'a'.repeat(2001)}`,
  ])('refuses %j', (asked) => {
    expect(safeRedirect(asked, FALLBACK, ORIGIN)).toBe(FALLBACK);
  });
});
