/** Fetches a part of a page that the server renders alone. */
export async function fetchFragment(url = ''): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}
