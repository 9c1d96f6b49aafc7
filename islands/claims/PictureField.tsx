import { type ChangeEvent, useEffect, useState } from 'react';
import { FileInput } from '../form/FileInput';
import { isPicture, TYPES } from '../form/pictures';
import { errorText, t } from '../i18n';
import { announce } from '../ui/announce';
import { Button } from '../ui/Button';
import { Field } from '../ui/Field';
import { MAX_PICTURES } from './pictures';

interface Props {
  id: string;
  files: readonly File[];
  error?: string;
  /** Called with what is chosen now, and with why something was not taken. */
  onChange: (files: readonly File[], error: string) => void;
}

function Chosen({ file, onRemove }: { file: File; onRemove: () => void }) {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <li className="row row--wrap">
      <img className="receipt receipt--small" src={url || undefined} alt="" />
      <span className="small soft">{file.name}</span>
      <Button
        kind="quiet"
        size="sm"
        onClick={onRemove}
        aria-label={t('claims.removePicture', { name: file.name })}
      >
        {t('claims.remove')}
      </Button>
    </li>
  );
}

/** Asks for pictures, a few at most, and shows those that were chosen. */
export function PictureField({ id, files, error, onChange }: Props) {
  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = [...(target.files ?? [])];
    const usable = chosen.filter(isPicture);
    const all = [...files, ...usable];
    const isTooMany = all.length > MAX_PICTURES;
    const refused =
      usable.length < chosen.length
        ? errorText({ reason: 'picture_error' })
        : isTooMany
          ? t('claims.tooManyPictures', { count: MAX_PICTURES })
          : '';
    // So that the same file can be chosen again after it was removed.
    target.value = '';
    const kept = all.slice(0, MAX_PICTURES);
    announce([t('claims.chosenPictures'), ...kept.map(({ name }) => name)].join(' '));
    onChange(kept, refused);
  }

  return (
    <div className="stack">
      <Field
        id={id}
        label={t('claims.pictures')}
        hint={t('claims.picturesHint', { count: MAX_PICTURES })}
        error={error}
      >
        {(control) => (
          <FileInput
            text={t('claims.choosePictures')}
            multiple
            accept={TYPES.join(',')}
            onChange={choose}
            {...control}
          />
        )}
      </Field>
      {files.length > 0 && (
        <ul className="stack" aria-label={t('claims.chosenPictures')}>
          {files.map((file, index) => (
            <Chosen
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name and size
              key={`${index} ${file.name}`}
              file={file}
              onRemove={() => {
                onChange(
                  files.filter((other) => other !== file),
                  '',
                );
                document.getElementById(id)?.focus();
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
