/** How far the server's clock is ahead of the browser's, in milliseconds. */
let offset = 0;
let asked: Promise<void> | undefined;

/** Gives the server's time in milliseconds, as far as it is known. */
export function serverNow(): number {
  return Date.now() + offset;
}

/** Fetches the server's time, once for each page; without an answer the browser's clock is used. */
export function syncClock(): Promise<void> {
  asked ??= ask().catch(() => undefined);
  return asked;
}

async function ask(): Promise<void> {
  const sent = Date.now();
  const response = await fetch('/api/v1/pc/actionType/list', { cache: 'no-store' });
  const serverTime = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds, so on average half a second has passed since.
  if (serverTime) offset = serverTime + 500 - (sent + Date.now()) / 2;
}

/** The time left until a moment, in units. */
export interface Left {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** Gives the time left until a moment; null when it has come. */
function leftUntil(moment: number): Left | null {
  const left = Math.ceil((moment - serverNow()) / 1000);
  if (moment <= serverNow()) return null;
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor(left / 3600) % 24,
    minutes: Math.floor(left / 60) % 60,
    seconds: left % 60,
  };
}

/** Calls back now and each second until a moment has come, then once more with null; gives a way to stop. */
export function countDown(moment: number, show: (left: Left | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const tick = () => {
    const left = leftUntil(moment);
    show(left);
    if (left) timer = setTimeout(tick, (moment - serverNow()) % 1000 || 1000);
  };
  tick();
  return () => clearTimeout(timer);
}
