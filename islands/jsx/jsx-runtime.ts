/*
 * React's functions for JSX, with which a page survives the translators of browsers
 * (docs/adr/0051-texts-are-alone-in-their-elements.md).
 *
 * A translator replaces text nodes by elements of its own. React then fails if it removes a text node, and changes
 * one that is no longer shown. It does neither if a text is the only child of its element, as with these functions:
 * they join a text's parts, or give each an element. Texts without words are not translated at all.
 */
import { type ExoticComponent, Fragment, type ReactElement, type ReactNode } from 'react';
import { jsx as element, jsxs as elementOfMany, type JSX as ReactJSX } from 'react/jsx-runtime';

type Props = Record<string, unknown> & { children?: ReactNode };
type Type = Parameters<typeof element>[0];

const isText = (node: ReactNode): node is string | number =>
  typeof node === 'number' || (typeof node === 'string' && node !== '');
const isEmpty = (node: ReactNode) =>
  node === null || node === '' || typeof node === 'boolean' || node === undefined;
/** A translator leaves blanks alone, and where they are an element would be an item of its parent's layout. */
const isBlank = (text: string | number) => typeof text === 'string' && !text.trim();

/** An amount, a count, a date: it would be written in another way, or be taken for a word. */
const isWordless = (text: string) => !/\p{L}/u.test(text.replace('A$', ''));

/** Gives a text in an element of its own. */
function alone(text: string | number, key: string): ReactElement {
  return jsx('bdi', { children: text }, key);
}

function apart(node: ReactNode, place: number): ReactNode {
  if (Array.isArray(node)) return node.some(hasText) ? node.map(apart) : node;
  return isText(node) && !isBlank(node) ? alone(node, `text-${place}`) : node;
}

function hasText(node: ReactNode): boolean {
  return Array.isArray(node) ? node.some(hasText) : isText(node) && !isBlank(node);
}

function childrenOf(type: Type, children: ReactNode): ReactNode {
  if (type === Fragment) return apart(children, 0);
  if (!Array.isArray(children) || !children.some(hasText)) return children;
  if (children.every((child) => isText(child) || isEmpty(child))) return children.filter(isText).join('');
  return children.map(apart);
}

function own(type: Type, props: Props): Props {
  if (typeof type !== 'string' && type !== Fragment) return props;
  const children = childrenOf(type, props.children);
  const isAmount = typeof type === 'string' && isText(children) && isWordless(String(children));
  return { ...(isAmount && { translate: 'no' }), ...props, children };
}

/** Makes an element as React's `jsx` does, with each text alone in its element. */
export function jsx(type: Type, props: Props, key?: string): ReactElement {
  return element(type, own(type, props), key);
}

/** Makes an element with several children as React's `jsxs` does, with each text alone in its element. */
export function jsxs(type: Type, props: Props, key?: string): ReactElement {
  const { children, ...others } = own(type, props);
  return Array.isArray(children)
    ? elementOfMany(type, { ...others, children }, key)
    : element(type, { ...others, children }, key);
}

export { Fragment };

/** What a component gives: no text, because the element around it could not know of it. */
type WithoutText = ReactElement | null | undefined | boolean | readonly WithoutText[];

export type Component<P> = (props: P) => WithoutText;

export namespace JSX {
  export type ElementType =
    | keyof ReactJSX.IntrinsicElements
    // biome-ignore lint/suspicious/noExplicitAny: as in React's own type
    | Component<any>
    // biome-ignore lint/suspicious/noExplicitAny: as in React's own type
    | ExoticComponent<any>;
  export type Element = ReactJSX.Element;
  export type ElementClass = ReactJSX.ElementClass;
  export type ElementAttributesProperty = ReactJSX.ElementAttributesProperty;
  export type ElementChildrenAttribute = ReactJSX.ElementChildrenAttribute;
  export type LibraryManagedAttributes<C, P> = ReactJSX.LibraryManagedAttributes<C, P>;
  export type IntrinsicAttributes = ReactJSX.IntrinsicAttributes;
  export type IntrinsicClassAttributes<T> = ReactJSX.IntrinsicClassAttributes<T>;
  export type IntrinsicElements = ReactJSX.IntrinsicElements;
}
