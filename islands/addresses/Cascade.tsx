import { memo, useEffect, useState } from 'react';
import { errorOf, type FormError } from '../form/ErrorSummary';
import { SelectField } from '../form/SelectField';
import { t } from '../i18n';
import { lang } from '../lang';
import { LoadFailure } from '../ui/LoadFailure';
import type { Region } from './regions';

const NONE: readonly Region[] = [];

/** One select of a cascade. */
interface Level {
  id: string;
  label: string;
}

interface Props {
  load: () => Promise<Region[]>;
  levels: readonly Level[];
  /** The chosen labels, largest area first; one that the tree does not have stays until another is chosen. */
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

  return levels.map(({ id, label }, depth) => {
    const value = chosen[depth] ?? '';
    return (
      <SelectField
        key={id}
        id={id}
        label={label}
        error={errorOf(errors, id)}
        value={value}
        disabled={!choices[depth]?.length}
        onChange={(label) => choose(depth, label)}
      >
        <option value="">{t('address.choose')}</option>
        {value && !path[depth] && <option>{value}</option>}
        <Options of={choices[depth] ?? NONE} />
      </SelectField>
    );
  });
}

/** The options of one select; typing elsewhere in the form does not draw them again. */
const Options = memo(({ of }: { of: readonly Region[] }) =>
  of.map((option) => (
    <option key={option.label} value={option.label}>
      {nameOf(option)}
    </option>
  )),
);

/** Writes a region's name in the page's language, if it has one, before its own. */
function nameOf({ label, labelEn, labelZh }: Region): string {
  const translated = lang() === 'zh' ? labelZh : labelEn;
  return translated ? `${translated} ${label}` : label;
}
