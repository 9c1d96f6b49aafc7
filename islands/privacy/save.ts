/** Saves a text as a file, as a link to it would. */
export function saveFile(name: string, contentType: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${contentType};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read it only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
