import { useEffect, useState } from 'react';
import { errorOf, type FormError } from '../form/ErrorSummary';
import { SelectField } from '../form/SelectField';
import { t } from '../i18n';
import { lang } from '../lang';
import { LoadFailure } from '../ui/LoadFailure';
import type { Region } from './regions';

/** One select of a cascade. */
interface Level {
  id: string;
  label: string;
}

interface Props {
  load: () => Promise<Region[]>;
  levels: readonly Level[];
  /** The chosen labels, largest area first; an unknown one counts as not chosen. */
  chosen: readonly string[];
  errors: readonly FormError[];
  /** Called with the chosen nodes, largest area first. */
  onChange: (path: Region[]) => void;
}

/** Dependent selects for an area; a level with a single choice is chosen automatically. */
export function Cascade({ load, levels, chosen, errors, onChange }: Props) {
  const [tree, setTree] = useState<Region[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
  useEffect(() => {
    let current = true;
    load().then(
      (regions) => current && setTree(regions),
      (error) => current && setFailure(error),
    );
    return () => {
      current = false;
    };
  }, [load, attempt]);

  if (failure) {
    const tryAgain = () => {
      setFailure(null);
      setAttempt(attempt + 1);
    };
    return <LoadFailure error={failure} onRetry={tryAgain} />;
  }

  const path: Region[] = [];
  const choices: Region[][] = [];
  for (let options = tree ?? []; choices.length < levels.length; ) {
    choices.push(options);
    const node = options.find((option) => option.label === chosen[path.length]);
    if (node && path.length === choices.length - 1) path.push(node);
    options = node?.children ?? [];
  }

  function choose(depth: number, label: string) {
    const next = path.slice(0, depth);
    let node = choices[depth]?.find((option) => option.label === label);
    while (node && next.length < levels.length) {
      next.push(node);
      node = node.children?.length === 1 ? node.children[0] : undefined;
    }
    onChange(next);
  }

  return levels.map(({ id, label }, depth) => (
    <SelectField
      key={id}
      id={id}
      label={label}
      error={errorOf(errors, id)}
      value={path[depth]?.label ?? ''}
      disabled={!choices[depth]?.length}
      onChange={(value) => choose(depth, value)}
    >
      <option value="">{t('address.choose')}</option>
      {choices[depth]?.map((option) => (
        <option key={option.label} value={option.label}>
          {lang() === 'en' && option.labelEn ? `${option.labelEn} ${option.label}` : option.label}
        </option>
      ))}
    </SelectField>
  ));
}
