// Chrome before 91 fails at a call in an optional chain that spreads an argument before the last one
// (https://crbug.com/42201552). esbuild would therefore rewrite every optional chain, which makes a page's scripts
// nearly a kilobyte larger.
import ts from 'typescript';

function isRefused(node) {
  const isChain = ts.isCallExpression(node) && node.flags & ts.NodeFlags.OptionalChain;
  return isChain && node.arguments.slice(0, -1).some(ts.isSpreadElement);
}

/** Lists the calls of a script at which Chrome before 91 fails. */
export function findRefusedChains(code) {
  const source = ts.createSourceFile('script.js', code, ts.ScriptTarget.Latest);
  const found = [];
  const visit = (node) => {
    if (isRefused(node)) found.push(node.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
