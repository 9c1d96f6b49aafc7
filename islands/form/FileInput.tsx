import type { InputHTMLAttributes } from 'react';
import { Icon } from '../ui/Icon';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> {
  text: string;
}

/** An input for files that looks like a button of the shop; the browser's own speaks the browser's language. */
export function FileInput({ text, ...input }: Props) {
  return (
    <span className="file">
      <input type="file" {...input} />
      <span className="btn btn--line" aria-hidden="true">
        <Icon name="upload" />
        {text}
      </span>
    </span>
  );
}
