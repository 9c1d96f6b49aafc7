import { call } from '../api/client';
import type { Upload } from '../api/types';

/** As many pictures as one message takes (docs/wire.md#claims). */
export const MAX_PICTURES = 4;
export const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];
const MAX_BYTES = 5 * 1024 * 1024;

/** Shows whether the server would take a file as a picture. */
export const isUsable = ({ type, size }: File): boolean => TYPES.includes(type) && size <= MAX_BYTES;

/** What was uploaded already, so that a form that is sent again uploads nothing twice. */
const uploaded = new WeakMap<File, string>();

/** Uploads pictures, one after the other as the server wants it, and gives their addresses. Raises ShopError. */
export async function upload(files: readonly File[]): Promise<string[]> {
  const urls: string[] = [];
  for (const file of files) {
    let url = uploaded.get(file);
    if (!url) {
      const body = new FormData();
      body.append('file', file);
      url = (await call<Upload>('POST', '/upload/oss/image', body)).imgUrl;
      uploaded.set(file, url);
    }
    urls.push(url);
  }
  return urls;
}
