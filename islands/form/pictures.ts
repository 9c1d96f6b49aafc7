import { call } from '../api/client';
import { ShopError } from '../api/errors';
import type { Upload } from '../api/types';

/** The types of pictures that the shop takes (docs/wire.md#uploadossimage). */
export const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];
const MAX_BYTES = 5 * 1024 * 1024;
/** The longest side that the shop stores; a phone's photograph has several times as many pixels. */
export const MAX_SIDE = 2400;
const QUALITY = 0.9;

/** Shows whether a file is a picture that the shop may take. */
export const isPicture = ({ type }: File): boolean => TYPES.includes(type);

/** Uploads a picture, made smaller if it is large, and gives its address. Raises ShopError. */
export async function uploadPicture(file: File): Promise<string> {
  // A browser that cannot decode the picture leaves the judgement to the shop.
  const picture = await shrunk(file).catch(() => file);
  // The shop would refuse it, at the end of a long upload.
  if (picture.size > MAX_BYTES) throw new ShopError({ code: -1, status: 0, reason: 'picture_error' });
  const body = new FormData();
  body.append('file', picture);
  return (await call<Upload>('POST', '/upload/oss/image', body)).imgUrl;
}

async function shrunk(file: File): Promise<File> {
  const picture = await decoded(file);
  const { naturalWidth: width, naturalHeight: height } = picture;
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  if (scale === 1 && file.size <= MAX_BYTES) return file;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const drawing = canvas.getContext('2d');
  if (!drawing) return file;
  // JPEG has no transparency.
  drawing.fillStyle = '#fff';
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  const name = `${file.name.replace(/\.[^.]*$/, '')}.jpg`;
  return blob ? new File([blob], name, { type: 'image/jpeg' }) : file;
}

/** Decodes a picture in an image, which turns it upright by its EXIF data in every browser. */
async function decoded(file: File): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(url);
  }
  return image;
}
