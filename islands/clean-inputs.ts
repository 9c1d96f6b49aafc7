/* Cleans what is typed or pasted into the inputs of a page, except passwords (docs/wire.md#typed-texts). */
import { cleanLetters, cleanText } from './typed-text';

type TextInput = HTMLInputElement | HTMLTextAreaElement;

/** Gives the input of an event if its text may be cleaned; a password may be shown as a text. */
function inputOf({ target }: Event): TextInput | null {
  const isText =
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && /^(text|search|tel|url|email)$/.test(target.type));
  return isText && !('password' in target.dataset) ? target : null;
}

/** Cleans an input, and keeps its caret; returns whether anything has changed. */
function cleaned(input: TextInput, clean: (text: string) => string): boolean {
  const { value, selectionStart, selectionEnd } = input;
  if (clean(value) === value) return false;
  // React replaces the property of the element, and would not notice a change by that.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, clean(value));
  // Inputs for e-mail addresses have no selection.
  if (selectionStart !== null && selectionEnd !== null && input === document.activeElement) {
    const [start, end] = [selectionStart, selectionEnd].map((place) => clean(value.slice(0, place)).length);
    input.setSelectionRange(start ?? null, end ?? null);
  }
  return true;
}

function announceInput(input: TextInput): void {
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/**
 * Cleans the inputs of this page from now on: letters while they are typed, everything when the input is left or sent
 * with Enter, because punctuation depends on the text that follows.
 */
export function cleanInputs(): void {
  // Before the listeners of islands, which then read the cleaned text.
  addEventListener(
    'input',
    (event) => {
      const input = inputOf(event);
      // The input method replaces what it has shown so far.
      if (input && !(event as InputEvent).isComposing) cleaned(input, cleanLetters);
    },
    true,
  );
  addEventListener(
    'compositionend',
    (event) => {
      const input = inputOf(event);
      if (input && cleaned(input, cleanLetters)) announceInput(input);
    },
    true,
  );
  const finish = (event: Event) => {
    const input = inputOf(event);
    if (input && cleaned(input, cleanText)) announceInput(input);
  };
  addEventListener('focusout', finish, true);
  addEventListener('keydown', (event) => event.key === 'Enter' && !event.isComposing && finish(event), true);
}
