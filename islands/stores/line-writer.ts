interface Options {
  /** How long a line must be quiet before it is written, in milliseconds. */
  delay: number;
  /** Writes the newest state of a line; reads it itself, so that the latest wins. */
  write: (id: number) => Promise<void>;
  /** Called when a line could not be written and nothing newer of it waits. */
  failed: (id: number, error: unknown) => void;
  /** Called whenever a line begins or ceases to be unsettled. */
  changed: () => void;
}

/**
 * Writes lines by id: debounced, and one request after the other, since every answer holds the whole cart and an
 * older one must never come after a newer one.
 */
export class LineWriter {
  private readonly waiting = new Map<number, ReturnType<typeof setTimeout>>();
  private readonly queued = new Set<number>();
  private current: number | undefined;
  private chain: Promise<unknown> = Promise.resolve();
  private readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  /** The lines whose newest state the server has not confirmed. */
  get unsettled(): Set<number> {
    const ids = new Set([...this.waiting.keys(), ...this.queued]);
    if (this.current !== undefined) ids.add(this.current);
    return ids;
  }

  /** Tells whether a newer state of this line is still to be written. */
  isDirty(id: number): boolean {
    return this.waiting.has(id) || this.queued.has(id);
  }

  /** Has a line written once it has been quiet for the delay. */
  want(id: number): void {
    clearTimeout(this.waiting.get(id));
    this.waiting.set(
      id,
      setTimeout(() => this.enqueue(id), this.options.delay),
    );
    this.options.changed();
  }

  /** Runs a task when no write is under way, and lets none begin until it has ended. */
  alone<T>(task: () => Promise<T>): Promise<T> {
    const result = this.chain.then(task);
    this.chain = result.catch(() => undefined);
    return result;
  }

  /** Writes at once what is waiting; resolves when nothing is unsettled. */
  async flush(): Promise<void> {
    do {
      for (const id of [...this.waiting.keys()]) this.enqueue(id);
      await this.chain;
    } while (this.unsettled.size);
  }

  /** Starts every waiting write without waiting for any other, as the page is about to go. */
  leave(): void {
    for (const id of this.unsettled) {
      if (this.isDirty(id)) void this.options.write(id).catch(() => undefined);
    }
    this.forget();
  }

  /** Drops what is waiting. */
  forget(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
    this.queued.clear();
    this.options.changed();
  }

  private enqueue(id: number): void {
    clearTimeout(this.waiting.get(id));
    this.waiting.delete(id);
    if (this.queued.has(id)) return;
    this.queued.add(id);
    void this.alone(() => this.writeLatest(id));
  }

  private async writeLatest(id: number): Promise<void> {
    if (!this.queued.delete(id)) return;
    this.current = id;
    try {
      await this.options.write(id);
    } catch (error) {
      if (!this.isDirty(id)) this.options.failed(id, error);
    } finally {
      this.current = undefined;
      this.options.changed();
    }
  }
}
