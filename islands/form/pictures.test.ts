import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const MB = 1024 * 1024;
const sent: FormData[] = [];
const drawn: { width: number; height: number; calls: string[] }[] = [];
/** The size of the picture that the browser decodes; null if it cannot. */
let size: readonly [number, number] | null;
/** The bytes of what the canvas writes. */
let written: number;
let pictures: typeof import('./pictures');

beforeEach(async () => {
  freshBrowser();
  vi.doMock('../api/client', () => ({
    call: async (_method: string, _path: string, body: FormData) => {
      sent.push(body);
      return { imgUrl: '/pay/certificate/a?key=b' };
    },
  }));
  pictures = await import('./pictures');
  sent.length = drawn.length = 0;
  size = [4000, 3000];
  written = 900;
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(async () => {
    if (!size) throw new Error('no picture');
  });
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockImplementation(() => size?.[0] ?? 0);
  vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockImplementation(() => size?.[1] ?? 0);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    const one = { width: this.width, height: this.height, calls: [] as string[] };
    drawn.push(one);
    return {
      fillRect: () => one.calls.push('white'),
      drawImage: (_picture: unknown, ...box: number[]) => one.calls.push(`picture ${box.join(' ')}`),
    } as unknown as CanvasRenderingContext2D;
  } as unknown as typeof HTMLCanvasElement.prototype.getContext);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) =>
    done(new Blob([new Uint8Array(written)], { type })),
  );
  return () => vi.doUnmock('../api/client');
});

const filesSent = () => sent.map((body) => body.get('file') as File);

/** Makes a file that claims a size. */
const photo = (bytes: number, type = 'image/jpeg') =>
  Object.defineProperty(new File(['a'], 'IMG 1.photo.png', { type }), 'size', { value: bytes });

it.each([
  [[8160, 6120], 12 * MB, [2400, 1800]],
  [[6120, 8160], 12 * MB, [1800, 2400]],
  [[4000, 3000], 3 * MB, [2400, 1800]],
  [[2400, 1000], 6 * MB, [2400, 1000]],
  [[50_000, 10], 100, [2400, 1]],
] as const)('makes a photograph of %s pixels smaller before it is sent', async (pixels, bytes, expected) => {
  size = pixels;
  expect(await pictures.uploadPicture(photo(bytes))).toBe('/pay/certificate/a?key=b');
  const [file] = filesSent();
  expect([file?.name, file?.type, file?.size]).toEqual(['IMG 1.photo.jpg', 'image/jpeg', written]);
  const [width, height] = expected;
  expect(drawn).toEqual([{ width, height, calls: ['white', `picture 0 0 ${width} ${height}`] }]);
});

it('leaves a picture that is small enough as it is', async () => {
  size = [pictures.MAX_SIDE, 100];
  await pictures.uploadPicture(photo(5 * MB, 'image/png'));
  expect(filesSent().map(({ type }) => type)).toEqual(['image/png']);
  expect(drawn).toEqual([]);
});

it('leaves a picture that the browser cannot decode to the shop, unless it is too large', async () => {
  size = null;
  await pictures.uploadPicture(photo(5 * MB, 'image/webp'));
  expect(filesSent().map(({ type }) => type)).toEqual(['image/webp']);
  await expect(pictures.uploadPicture(photo(5 * MB + 1))).rejects.toHaveProperty('reason', 'picture_error');
  expect(sent).toHaveLength(1);
});

it('sends no picture that stays too large', async () => {
  written = 5 * MB + 1;
  await expect(pictures.uploadPicture(photo(100))).rejects.toHaveProperty('reason', 'picture_error');
  expect(sent).toEqual([]);
});

it('takes three types of pictures', () => {
  const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', ''];
  expect(types.map((type) => pictures.isPicture(photo(1, type)))).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ]);
});
