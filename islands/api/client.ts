import { lang } from '../lang';
import { ShopError } from './errors';

export { ShopError } from './errors';

const BASE = '/api/v1';
const TIMEOUT = 30_000;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What the server wraps every answer in (CONTRACT 1). */
export interface Envelope<T> {
  code: number;
  msg: string;
  result: T;
  reason?: string;
  fields?: Record<string, string>;
}

export interface CallOptions {
  /** Lets the request outlive the page that sent it; for small writes only. */
  keepalive?: boolean;
  /** Gives the caller a way to call the request off. */
  signal?: AbortSignal;
}

const inFlight = new Map<string, AbortController>();

/**
 * Calls the shop's API and gives the envelope's result. `path` is below /api/v1.
 * A repeat of the same call while it is in flight cancels the earlier one (SPEC 7).
 * Raises ShopError; code 1001 also logs out and asks where to go next (SPEC 8).
 */
export async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  options?: CallOptions,
): Promise<T> {
  return (await callForEnvelope<T>(method, path, body, options)).result;
}

/** Like `call`, but gives the whole envelope, for answers whose `reason` matters though they succeed. */
export async function callForEnvelope<T>(
  method: Method,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<Envelope<T>> {
  const payload = body instanceof FormData ? body : body === undefined ? undefined : JSON.stringify(body);
  const key = `${method} ${path} ${payload instanceof FormData ? '' : (payload ?? '')}`;
  inFlight.get(key)?.abort('too_frequent');
  const controller = new AbortController();
  inFlight.set(key, controller);
  options.signal?.addEventListener('abort', () => controller.abort('called_off'));
  const timer = setTimeout(() => controller.abort('timeout'), TIMEOUT);
  try {
    const response = await fetch(BASE + path, {
      method,
      headers: headersFor(payload),
      body: payload,
      signal: controller.signal,
      keepalive: options.keepalive,
    });
    return await open<T>(response);
  } catch (error) {
    if (error instanceof ShopError) throw error;
    const reason = controller.signal.reason === 'too_frequent' ? 'too_frequent' : 'network';
    throw new ShopError({ code: -1, status: 0, reason });
  } finally {
    clearTimeout(timer);
    if (inFlight.get(key) === controller) inFlight.delete(key);
  }
}

function headersFor(payload: string | FormData | undefined): Record<string, string> {
  const headers: Record<string, string> = { lang: lang() };
  const token = localStorage.getItem('token');
  if (token) headers.token = token;
  if (typeof payload === 'string') headers['Content-Type'] = 'application/json';
  return headers;
}

async function open<T>(response: Response): Promise<Envelope<T>> {
  const { status } = response;
  const envelope = (await response.json().catch(() => null)) as Envelope<T> | null;
  if (status === 401) throw new ShopError({ ...envelope, code: 1, status, reason: 'login_required' });
  if (status === 404) throw new ShopError({ code: 1, status, reason: 'network' });
  if (status >= 500 || !envelope) throw new ShopError({ code: 1, status, reason: 'server_error' });
  if (envelope.code === 0) return envelope;
  if (envelope.code === 1001) void import('../ui/login-invalid').then((dialog) => dialog.loginInvalid());
  throw new ShopError({ ...envelope, status });
}
