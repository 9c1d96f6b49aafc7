// Without a compiler transform a component re-renders on a signal only after useSignals(): every component
// or hook that reads a signal's `.value` must therefore begin with it.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const NOT_A_SIGNAL = /(^|\.)(target|currentTarget|current)$/;

function readsSignal(node, source) {
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'value') {
    return !NOT_A_SIGNAL.test(node.expression.getText(source));
  }
  return ts.forEachChild(node, (child) => readsSignal(child, source)) ?? false;
}

function beginsWithUseSignals(body, source) {
  const [first] = ts.isBlock(body) ? body.statements : [];
  return first?.getText(source) === 'useSignals();';
}

/** Lists the components and hooks of a TSX text that read a signal without useSignals(). */
export function findForgetful(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const forgetful = [];
  function visit(node) {
    const isFunction =
      ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);
    const name = isFunction && (node.name ?? node.parent?.name)?.text;
    if (name && /^([A-Z]|use[A-Z])/.test(name) && node.body) {
      if (readsSignal(node.body, source) && !beginsWithUseSignals(node.body, source)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        forgetful.push(`${file}:${line + 1} ${name}`);
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return forgetful;
}

if (process.argv[1] === import.meta.filename) {
  const files = readdirSync('islands', { recursive: true })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .map((file) => `islands/${file}`);
  const forgetful = files.flatMap((file) => findForgetful(file, readFileSync(file, 'utf8')));
  for (const place of forgetful)
    console.error(`${place}: reads .value without useSignals() as its first statement`);
  process.exit(forgetful.length ? 1 : 0);
}
