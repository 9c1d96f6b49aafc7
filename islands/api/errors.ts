/** A call that the shop refused or that did not come through (CONTRACT 1, SPEC 8). */
export class ShopError extends Error {
  /** The envelope's code; -1 when no envelope came back. */
  readonly code: number;
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The catalogue's key, or one of the client's own: network, too_frequent. */
  readonly reason: string;
  /** The fields of a form that are wrong, with the catalogue's key of each. */
  readonly fields: Record<string, string>;
  /** The server's Chinese text; empty when there was no answer. */
  readonly msg: string;

  constructor(failure: {
    code: number;
    status: number;
    reason?: string;
    fields?: Record<string, string>;
    msg?: string;
  }) {
    super(failure.msg || failure.reason || `HTTP ${failure.status}`);
    this.name = 'ShopError';
    this.code = failure.code;
    this.status = failure.status;
    this.reason = failure.reason ?? '';
    this.fields = failure.fields ?? {};
    this.msg = failure.msg ?? '';
  }
}
