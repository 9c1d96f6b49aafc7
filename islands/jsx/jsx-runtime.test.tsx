// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';

/** Replaces each text as the translator of Chrome does. */
function translate(root: Node): void {
  for (const node of [...root.childNodes]) {
    if (node.nodeType !== Node.TEXT_NODE) translate(node);
    else if (node.textContent?.trim() && !node.parentElement?.closest('[translate=no]')) {
      const [whole, text] = [document.createElement('font'), document.createElement('font')];
      text.append(node.textContent);
      whole.append(text);
      root.replaceChild(whole, node);
    }
  }
}

function Place({ name }: { name: string }) {
  return <>to {name}</>;
}

function Order({ count, note, names }: { count: number; note?: string; names: string[] }) {
  return (
    <section>
      <h2>
        {count} of {10} units
      </h2>
      {note}
      <p>
        Total <b>{`A$${count}.50`}</b> <small>{`≈ ¥${count}.00`}</small>
        {count > 2 && 'many'} <Place name={names[0] ?? ''} />
      </p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            {name}
            {count > 2 && <i>{count}</i>}
          </li>
        ))}
      </ul>
    </section>
  );
}

it('shows the right texts behind a translator, and does not fail', () => {
  const element = document.createElement('div');
  document.body.append(element);
  const root = createRoot(element);
  const states = [
    { count: 1, names: ['Perth', 'Sydney'] },
    { count: 3, note: 'Ready', names: ['Sydney', 'Perth', 'Darwin'] },
    { count: 2, note: 'Sent', names: ['Darwin'] },
    { count: 2, names: [] },
  ];
  for (const state of [...states, ...states.reverse()]) {
    flushSync(() => root.render(<Order {...state} />));
    translate(element);
    const { count, note = '', names } = state;
    const items = names.map((name) => `${name}${count > 2 ? count : ''}`).join('');
    const many = count > 2 ? 'many' : '';
    expect(element.textContent).toBe(
      `${count} of 10 units${note}Total A$${count}.50 ≈ ¥${count}.00${many} to ${names[0] ?? ''}${items}`,
    );
  }
  expect(element.querySelectorAll('[translate=no]')).toHaveLength(2);
});
