// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { cleanInputs } from './clean-inputs';
import { mountComponent } from './ui/mount';

function Form() {
  const [text, setText] = useState('');
  return (
    <>
      <input id="text" value={text} onChange={(event) => setText(event.target.value)} />
      <output>{text}</output>
      <input id="password" data-password />
    </>
  );
}

it('cleans what React reads, but for passwords and what an input method still composes', async () => {
  cleanInputs();
  await (await import('./i18n')).loadTexts();
  const element = document.createElement('div');
  document.body.append(element);
  await mountComponent(element, Form, {});
  const find = (selector: string) => element.querySelector(selector) as HTMLInputElement;
  const type = (input: HTMLInputElement, text: string, isComposing = false) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing }));
  };
  const input = find('#text');
  const shown = () => [input.value, element.querySelector('output')?.textContent];

  type(input, '１２．５\u200b', true);
  expect(shown()).toEqual(['１２．５\u200b', '１２．５\u200b']);
  input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  await expect.poll(shown).toEqual(['12．5', '12．5']);
  input.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await expect.poll(shown).toEqual(['12.5', '12.5']);
  type(find('#password'), '１２\u3000');
  expect(find('#password').value).toBe('１２\u3000');
});
