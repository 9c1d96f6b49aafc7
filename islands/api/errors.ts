/** A call that the shop refused or that failed on the way (docs/wire.md#envelope, docs/product.md#failures). */
export class ShopError extends Error {
  /** The envelope's code; -1 when no envelope came back. */
  readonly code: number;
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The key of the error catalogue, or one of the client's own, see `errorText`. */
  readonly reason: string;
  /** The invalid fields of a form, each with its key of the error catalogue. */
  readonly fields: Record<string, string>;
  /** The server's Chinese text; empty when there was no answer. */
  readonly msg: string;
  /** A further text about the refusal, in Chinese and English; mostly empty. */
  readonly why: string;
  readonly whyEn: string;
  /** The seconds to wait before the call can be repeated; 0 if the shop gives none. */
  readonly retryAfter: number;

  constructor(failure: {
    code: number;
    status: number;
    reason?: string;
    fields?: Record<string, string>;
    msg?: string;
    why?: string | null;
    whyEn?: string | null;
    retryAfter?: number;
  }) {
    super(failure.msg || failure.reason || `HTTP ${failure.status}`);
    this.name = 'ShopError';
    this.code = failure.code;
    this.status = failure.status;
    this.reason = failure.reason ?? '';
    this.fields = failure.fields ?? {};
    this.msg = failure.msg ?? '';
    this.why = failure.why ?? '';
    this.whyEn = failure.whyEn ?? '';
    this.retryAfter = failure.retryAfter ?? 0;
  }
}
