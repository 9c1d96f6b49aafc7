import { lang } from '../lang';
import { ShopError } from './errors';

export { ShopError } from './errors';

const BASE = '/api/v1';
const TIMEOUT_MS = 30_000;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The wrapper of every answer (docs/wire.md#envelope). */
export interface Envelope<T> {
  code: number;
  msg: string;
  result: T;
  reason?: string;
  fields?: Record<string, string>;
  why?: string;
  whyEn?: string;
}

interface CallOptions {
  /** Lets the request finish after its page has gone; for small writes only. */
  keepalive?: boolean;
  /** Aborts the request. */
  signal?: AbortSignal;
  /** The caller's token, instead of that of the customer who is logged in by now. */
  token?: string;
}

const inFlight = new Map<string, AbortController>();

/**
 * Calls the shop's API and gives the envelope's result. `path` is below /api/v1.
 * Repeating a call that is in flight aborts the earlier one (docs/product.md#requests-of-the-islands).
 * Raises ShopError; code 1001 also dispatches `shop:login-invalid` with the token, and the loader then logs the
 * customer out and asks where to go next (docs/product.md#failures); 401 dispatches `shop:login-required`, and the
 * session follows the tab that has ended it.
 */
export async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  options?: CallOptions,
): Promise<T> {
  return (await callForEnvelope<T>(method, path, body, options)).result;
}

/** Calls the API and gives the whole envelope, for successes whose `reason` matters. */
export async function callForEnvelope<T>(
  method: Method,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<Envelope<T>> {
  const payload = body instanceof FormData ? body : body === undefined ? undefined : JSON.stringify(body);
  const key = `${method} ${path} ${payload instanceof FormData ? '' : (payload ?? '')}`;
  inFlight.get(key)?.abort('duplicate');
  const controller = new AbortController();
  inFlight.set(key, controller);
  options.signal?.addEventListener('abort', () => controller.abort('called_off'));
  const timer = setTimeout(() => controller.abort('timeout'), TIMEOUT_MS);
  const headers = headersFor(payload, options.token);
  try {
    const response = await fetch(BASE + path, {
      method,
      headers,
      body: payload,
      signal: controller.signal,
      keepalive: options.keepalive,
    });
    return await open<T>(response, headers.token);
  } catch (error) {
    if (error instanceof ShopError) throw error;
    const reason = controller.signal.reason === 'duplicate' ? 'duplicate' : 'network';
    throw new ShopError({ code: -1, status: 0, reason });
  } finally {
    clearTimeout(timer);
    if (inFlight.get(key) === controller) inFlight.delete(key);
  }
}

function headersFor(
  payload: string | FormData | undefined,
  token = localStorage.getItem('token'),
): Record<string, string> {
  const headers: Record<string, string> = { lang: lang() };
  if (token) headers.token = token;
  if (typeof payload === 'string') headers['Content-Type'] = 'application/json';
  return headers;
}

async function open<T>(response: Response, token?: string): Promise<Envelope<T>> {
  const { status } = response;
  const envelope = (await response.json().catch(() => null)) as Envelope<T> | null;
  if (status === 401) {
    document.dispatchEvent(new Event('shop:login-required'));
    throw new ShopError({ ...envelope, code: 1, status, reason: 'login_required' });
  }
  if (status === 404) throw new ShopError({ code: 1, status, reason: 'network' });
  if (status >= 500 || !envelope) throw new ShopError({ code: 1, status, reason: 'server_error' });
  if (envelope.code === 0) return envelope;
  if (envelope.code === 1001) {
    document.dispatchEvent(new CustomEvent('shop:login-invalid', { detail: token }));
  }
  throw new ShopError({ ...envelope, status, retryAfter: Number(response.headers.get('Retry-After')) });
}
