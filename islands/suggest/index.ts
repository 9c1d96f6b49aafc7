/*
 * Suggests products, brands and categories while a reader types into the header's search: the combobox
 * pattern with a
 * listbox (WAI-ARIA). Enter without a choice submits the form, as it does without script.
 */
import { call } from '../api/client';
import type { Suggestions } from '../api/types';
import { loadTextsOf, t } from '../i18n';
import { forgetSearches, noteSearch, recentSearches } from '../stores/searches';
import { announce } from '../ui/announce';
import { make } from '../ui/dom';
import { suggestedGroups, wordGroups } from './options';

/** Requests are debounced by the first and throttled by the second. */
const PAUSE_MS = 200;
const MIN_GAP_MS = 500;

/** Adds suggestions to the search form inside `element`. */
export default async function mountSuggest(element: HTMLElement): Promise<void> {
  const found = element.querySelector<HTMLInputElement>('input[name="word"]');
  if (!found?.form) return;
  const input = found;
  const form = found.form;
  await loadTextsOf('suggest');
  const list = make('div', {
    class: 'suggest',
    id: 'suggestions',
    role: 'listbox',
    'aria-label': t('suggest.label'),
  });
  list.hidden = true;
  form.append(list);
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
    'aria-expanded': 'false',
  })) {
    input.setAttribute(name, value);
  }

  const popular = (form.dataset.popular ?? '').split(',').filter(Boolean);
  let options: HTMLElement[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let answered = '';
  let isComposing = false;

  const isOpen = () => !list.hidden;

  function open(shown: boolean): void {
    list.hidden = !shown || !options.length;
    input.setAttribute('aria-expanded', String(isOpen()));
    if (!isOpen()) choose(-1);
  }

  function choose(index: number): void {
    options[active]?.setAttribute('aria-selected', 'false');
    active = index;
    const option = options[index];
    if (!option) {
      input.removeAttribute('aria-activedescendant');
      return;
    }
    option.setAttribute('aria-selected', 'true');
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView?.({ block: 'nearest' });
  }

  function stop(): void {
    clearTimeout(timer);
    asking?.abort();
  }

  async function ask(): Promise<void> {
    const word = input.value.trim();
    const mine = new AbortController();
    asking = mine;
    askedAt = Date.now();
    try {
      const path = `/pc/suggest?word=${encodeURIComponent(word)}`;
      const answer = await call<Suggestions>('GET', path, undefined, { signal: mine.signal });
      if (!mine.signal.aborted) show(word, answer);
    } catch {
      // Search works without suggestions.
      if (!mine.signal.aborted) show('', { goods: [], brands: [], categories: [] });
    }
  }

  function fill(groups: HTMLElement[]): void {
    choose(-1);
    list.replaceChildren(...groups);
    options = [...list.querySelectorAll<HTMLElement>('[role="option"]')];
    open(document.activeElement === input);
  }

  function show(word: string, answer: Suggestions): void {
    answered = word;
    fill(suggestedGroups(answer));
    if (word) announce(options.length ? t('suggest.count', { count: options.length }) : t('suggest.none'));
  }

  function showWords(): void {
    answered = '';
    fill(wordGroups(recentSearches(), popular, clear));
  }

  function clear(): void {
    forgetSearches();
    showWords();
  }

  function onInput(): void {
    if (isComposing) return;
    stop();
    const word = input.value.trim();
    // Words for an empty field are no answer to what is typed.
    if (word && !answered) open(false);
    if (!word) showWords();
    else if (word === answered) open(true);
    else timer = setTimeout(ask, Math.max(PAUSE_MS, askedAt + MIN_GAP_MS - Date.now()));
  }

  function onKey(event: KeyboardEvent): void {
    // An input method handles its own keys.
    if (isComposing || event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!options.length) return;
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // The field itself is between the last option and the first.
      const places = options.length + 1;
      const next = isOpen() ? ((active + 1 + step + places) % places) - 1 : step > 0 ? 0 : options.length - 1;
      open(true);
      choose(next);
    } else if (event.key === 'Escape' && isOpen()) {
      event.preventDefault();
      open(false);
    } else if (event.key === 'Enter' && isOpen() && options[active]) {
      event.preventDefault();
      options[active]?.click();
    }
  }

  function onReach(): void {
    if (!isOpen() && !input.value.trim()) showWords();
  }

  input.addEventListener('input', onInput);
  input.addEventListener('focus', onReach);
  input.addEventListener('click', onReach);
  input.addEventListener('keydown', onKey);
  input.addEventListener('compositionstart', () => {
    isComposing = true;
    stop();
  });
  input.addEventListener('compositionend', () => {
    isComposing = false;
    onInput();
  });
  // A press on an option must not blur the field, which would close the list before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget as Node | null)) open(false);
  });
  const leave = () => {
    stop();
    open(false);
  };
  form.addEventListener('submit', () => {
    leave();
    if (input.value.trim()) noteSearch(input.value.trim());
  });
  window.addEventListener('pagehide', leave);
  if (document.activeElement !== input) return;
  if (input.value.trim() !== input.defaultValue.trim()) onInput();
  else onReach();
}
