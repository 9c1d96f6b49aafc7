import { uploadPicture } from '../form/pictures';

/** As many pictures as one message takes (docs/wire.md#claims). */
export const MAX_PICTURES = 4;

/** What was uploaded already, so that a form that is sent again uploads nothing twice. */
const uploaded = new WeakMap<File, string>();

/** Uploads pictures, one after the other as the server wants it, and gives their addresses. Raises ShopError. */
export async function upload(files: readonly File[]): Promise<string[]> {
  const urls: string[] = [];
  for (const file of files) {
    let url = uploaded.get(file);
    if (!url) {
      url = await uploadPicture(file);
      uploaded.set(file, url);
    }
    urls.push(url);
  }
  return urls;
}
