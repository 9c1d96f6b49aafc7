import { Fragment } from 'react';

/** Shows a text with a name, which may be an e-mail address: that breaks before its @ first. */
export function Name({ text }: { text: string }) {
  const [start, ...rest] = text.split('@');
  return (
    <>
      {start}
      {rest.map((part) => (
        <Fragment key={part}>
          <wbr />@{part}
        </Fragment>
      ))}
    </>
  );
}
