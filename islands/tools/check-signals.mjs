// Without a compiler transform a component re-renders on a signal only after useSignals(): every component
// or hook that reads a signal's `.value` must therefore begin with it.
import { relative } from 'node:path';
import ts from 'typescript';

const SIGNALS = new Set(['Signal', 'ReadonlySignal']);

function readsSignal(node, checker) {
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'value') {
    const type = checker.getTypeAtLocation(node.expression);
    if (SIGNALS.has((type.aliasSymbol ?? type.symbol)?.name)) return true;
  }
  return ts.forEachChild(node, (child) => readsSignal(child, checker)) ?? false;
}

function beginsWithUseSignals(body) {
  const [first] = ts.isBlock(body) ? body.statements : [];
  return first?.getText() === 'useSignals();';
}

/** Lists the components and hooks of these TSX files that read a signal without useSignals(). */
export function findMissingUseSignals(files, options) {
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const found = [];
  function visit(node) {
    const isFunction =
      ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);
    const name = isFunction && (node.name ?? node.parent?.name)?.text;
    const isComponent = name && /^([A-Z]|use[A-Z])/.test(name) && node.body;
    if (isComponent && readsSignal(node.body, checker) && !beginsWithUseSignals(node.body)) {
      const source = node.getSourceFile();
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${relative('.', source.fileName)}:${line + 1} ${name}`);
    }
    ts.forEachChild(node, visit);
  }
  for (const file of program.getRootFileNames()) visit(program.getSourceFile(file));
  return found;
}

if (process.argv[1] === import.meta.filename) {
  const config = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, ts.sys);
  const files = config.fileNames.filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'));
  const found = findMissingUseSignals(files, config.options);
  for (const place of found)
    console.error(`${place}: reads .value without useSignals() as its first statement`);
  process.exit(found.length ? 1 : 0);
}
