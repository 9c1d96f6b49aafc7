// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const shown = () => document.body.textContent;

beforeEach(async () => {
  freshBrowser();
  await (await import('../i18n')).loadTexts();
});

it('offers to try again where a script cannot be loaded, and loads it once', async () => {
  const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const { later } = await import('./later');
  const { mountComponent } = await import('./mount');
  const Later = later(load, '1rem');
  const mount = async () => {
    const element = document.createElement('div');
    document.body.append(element);
    await mountComponent(element, Later, { name: 'Mei' });
  };

  await mount();
  await vi.waitFor(() => expect(shown()).toContain('Network disconnection'));
  document.querySelector('button')?.click();
  await vi.waitFor(() => expect(shown()).toBe('Hello Mei'));
  await mount();
  await vi.waitFor(() => expect(shown()).toBe('Hello MeiHello Mei'));
  expect(load).toHaveBeenCalledTimes(2);
});
