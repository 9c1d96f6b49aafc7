interface Options {
  /** Debounces the writes of a line, in milliseconds. */
  delay: number;
  /** Writes the newest state of a line, which it reads itself. */
  write: (id: number) => Promise<void>;
  /** Called when a write failed and no newer one is due. */
  failed: (id: number, error: unknown) => void;
  /** Called whenever `unsettled` may have changed. */
  changed: () => void;
}

/**
 * Writes cart lines by id: debounced, and one request at a time, since every answer has the whole cart and an
 * older one must never arrive after a newer one.
 */
export class LineWriter {
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();
  private readonly queued = new Set<number>();
  private current: number | undefined;
  private chain: Promise<unknown> = Promise.resolve();
  private readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  /** The ids of lines whose newest state the server has not confirmed. */
  get unsettled(): Set<number> {
    const ids = new Set([...this.timers.keys(), ...this.queued]);
    if (this.current !== undefined) ids.add(this.current);
    return ids;
  }

  /** Shows whether a newer state of a line is still to be written. */
  isDirty(id: number): boolean {
    return this.timers.has(id) || this.queued.has(id);
  }

  /** Schedules the write of a line, after `delay` milliseconds without another change of it. */
  schedule(id: number, delay = this.options.delay): void {
    clearTimeout(this.timers.get(id));
    this.timers.set(
      id,
      setTimeout(() => this.enqueue(id), delay),
    );
    this.options.changed();
  }

  /** Runs a task while no write runs. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    const result = this.chain.then(task);
    this.chain = result.catch(() => undefined);
    return result;
  }

  /** Starts all scheduled writes; resolves when nothing is unsettled, or waits for a network. */
  async flush(): Promise<void> {
    do {
      for (const id of [...this.timers.keys()]) this.enqueue(id);
      await this.chain;
    } while (this.unsettled.size && navigator.onLine);
  }

  /** Sends all scheduled writes in parallel, for a page that is about to unload. */
  sendNow(): void {
    for (const id of this.unsettled) {
      if (this.isDirty(id)) void this.options.write(id).catch(() => undefined);
    }
    this.clear();
  }

  /** Cancels all scheduled writes; the failure of one that is under way is no longer reported. */
  clear(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.queued.clear();
    this.current = undefined;
    this.options.changed();
  }

  private enqueue(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    if (this.queued.has(id)) return;
    this.queued.add(id);
    void this.exclusive(() => this.writeLatest(id));
  }

  private async writeLatest(id: number): Promise<void> {
    if (!this.queued.delete(id)) return;
    this.current = id;
    try {
      await this.options.write(id);
    } catch (error) {
      if (this.current === id && !this.isDirty(id)) this.options.failed(id, error);
    } finally {
      this.current = undefined;
      this.options.changed();
    }
  }
}
