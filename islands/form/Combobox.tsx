import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Field } from '../ui/Field';

/** How many options are drawn at first, and how many more as one nears the last of them. */
const STEP = 24;

/** One of what can be chosen; those of a group follow each other. */
export interface Choice<T> {
  value: T;
  /** Differs from every other. */
  label: string;
  note?: string;
  group?: string;
}

interface Props<T> {
  id: string;
  label: string;
  hint?: string;
  error?: string;
  full?: boolean;
  autoComplete?: string;
  /** The text in the input. */
  text: string;
  /** The name of the list. */
  listLabel: string;
  /** Gives what can be chosen; asked while the list is open. */
  find: () => Choice<T>[];
  /** Shows how many were found; empty to show nothing. */
  found: (count: number) => string;
  onType: (text: string) => void;
  onChoose: (value: T) => void;
  /**
   * True if the input may only contain a choice: the first that is found is chosen unless another
   * is, a click opens the list with everything, and `onLeave` puts the chosen one back.
   */
  strict?: boolean;
  onLeave?: () => void;
}

/** An input with a list of what can be chosen: the editable combobox with list autocomplete of ARIA's patterns. */
export function Combobox<T>(props: Props<T>) {
  const { id, label, hint, error, full, autoComplete = 'off', text, listLabel } = props;
  const { find, found, onType, onChoose, strict = false, onLeave } = props;
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [drawn, setDrawn] = useState(STEP);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const choices = open ? find() : [];
  const shown = choices.length > 0;
  const last = Math.max(drawn, active + STEP);
  const status = open ? found(choices.length) : '';

  useEffect(() => {
    if (active >= 0)
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  function openAll() {
    if (open) return;
    setOpen(true);
    setActive(find().findIndex((choice) => choice.label === text));
  }

  function close() {
    setOpen(false);
    setActive(-1);
    setDrawn(STEP);
    onLeave?.();
  }

  function choose({ value }: Choice<T>) {
    onChoose(value);
    close();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = choices[active];
    if (step && event.altKey) {
      if (step > 0) openAll();
      else close();
    } else if (step && shown)
      setActive((active + step + choices.length + (active < 0 && step < 0 ? 1 : 0)) % choices.length);
    else if (step) openAll();
    else if (event.key === 'Enter' && choice) choose(choice);
    else if (event.key === 'Escape' && open) close();
    else {
      // It sends the form, but for a text without a choice.
      if (event.key !== 'Enter') return;
      if (!(strict && open && text)) return close();
    }
    event.preventDefault();
  }

  function onBlur() {
    const choice = choices[active];
    if (strict && choice) choose(choice);
    else close();
  }

  const option = (choice: Choice<T>, index: number) => (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input (ARIA combobox pattern)
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
    <div
      key={choice.label}
      id={`${listId}-${index}`}
      role="option"
      aria-selected={index === active}
      aria-setsize={choices.length}
      aria-posinset={index + 1}
      // A blur would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => choose(choice)}
    >
      {choice.label}
      {choice.note && <small>{choice.note}</small>}
    </div>
  );

  return (
    <Field id={id} label={label} hint={hint} error={error} full={full}>
      {(control) => (
        <div className="combo">
          <input
            {...control}
            className={strict ? 'select' : 'input'}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={shown}
            aria-controls={listId}
            aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
            autoComplete={autoComplete}
            maxLength={60}
            value={text}
            onChange={(event) => {
              setOpen(true);
              setDrawn(STEP);
              setActive(strict && event.target.value.trim() ? 0 : -1);
              onType(event.target.value);
            }}
            onFocus={(event) => strict && event.target.select()}
            onClick={strict ? openAll : undefined}
            onKeyDown={onKeyDown}
            onBlur={onBlur}
          />
          <div
            className="combo__list"
            role="listbox"
            id={listId}
            aria-label={listLabel}
            hidden={!shown}
            ref={list}
            onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
              if (scrollTop + 2 * clientHeight > scrollHeight && last < choices.length) setDrawn(last + STEP);
            }}
          >
            {grouped(choices.slice(0, last), option)}
          </div>
          <p className={strict && status && !shown ? 'combo__list' : 'vh'} role="status">
            {status}
          </p>
        </div>
      )}
    </Field>
  );
}

/** Puts the options of each group together, below its name. */
function grouped<T>(
  choices: Choice<T>[],
  option: (choice: Choice<T>, index: number) => ReactNode,
): ReactNode {
  const groups = new Map<string, ReactNode[]>();
  choices.forEach((choice, index) => {
    const group = choice.group ?? '';
    groups.set(group, [...(groups.get(group) ?? []), option(choice, index)]);
  });
  return [...groups].map(([group, options]) =>
    group ? (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
      <div key={group} role="group" aria-label={group}>
        <small aria-hidden="true">{group}</small>
        {options}
      </div>
    ) : (
      options
    ),
  );
}
