// Builds the islands and the stylesheet into static/islands/ with hashed names, and the manifest the templates read.
import { rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build, context } from 'esbuild';
import { entryName, together } from './tools/groups.mjs';

const OUT = 'static/islands';
const watching = process.argv.includes('--watch');

function staticImports(outputs, file, seen = new Set()) {
  for (const { path, kind } of outputs[file].imports) {
    if (kind === 'import-statement' && !seen.has(path)) {
      seen.add(path);
      staticImports(outputs, path, seen);
    }
  }
  return seen;
}

function manifestOf({ outputs }) {
  const entries = Object.entries(outputs)
    .filter(([, output]) => /^(islands|static)\//.test(output.entryPoint ?? ''))
    .map(([file, output]) => [
      entryName(output.entryPoint),
      {
        file: basename(file),
        imports: [...staticImports(outputs, file)].map((path) => basename(path)).sort(),
      },
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

const manifest = {
  name: 'manifest',
  setup(bundle) {
    bundle.onEnd(async ({ metafile, errors }) => {
      if (errors.length) return;
      await writeFile(`${OUT}/manifest.json`, `${JSON.stringify(manifestOf(metafile), null, 2)}\n`);
    });
  },
};

/**
 * Lets modules import React's functions by name. Otherwise each of them wraps the whole CommonJS module once more,
 * which takes half a kilobyte of a page's scripts.
 */
const reactByName = {
  name: 'react-by-name',
  setup(bundle) {
    bundle.onResolve({ filter: /^react(\/jsx-runtime)?$/ }, ({ path, kind, namespace }) =>
      kind === 'import-statement' && namespace !== 'by-name' ? { path, namespace: 'by-name' } : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'by-name' }, async ({ path }) => {
      const names = Object.keys((await import(path)).default).filter((name) => !name.startsWith('_'));
      const exported = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`);
      return {
        contents: [`import all from '${path}';`, ...exported, 'export default all;'].join('\n'),
        resolveDir: '.',
      };
    });
  },
};

const options = {
  entryPoints: ['islands/loader.ts', 'static/css/shop.css'],
  bundle: true,
  splitting: true,
  format: 'esm',
  // WeChat on Android has the oldest engine in use.
  target: ['chrome86', 'safari15'],
  // It runs them, except for what tools/chains.mjs finds.
  supported: { 'optional-chain': true },
  outdir: OUT,
  entryNames: '[name]-[hash]',
  chunkNames: '[hash]',
  assetNames: '[name]-[hash]',
  minify: true,
  // Unescaped Chinese is shorter, and module scripts are always UTF-8.
  charset: 'utf8',
  // Shoppers need no source maps.
  sourcemap: watching && 'linked',
  legalComments: 'none',
  metafile: true,
  define: {
    'process.env.NODE_ENV': '"production"',
    // Shoppers need no React DevTools either.
    ...(!watching && { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' }),
  },
  plugins: [reactByName],
  logLevel: 'warning',
};

await rm(OUT, { recursive: true, force: true });
const started = performance.now();
const plugins = [...options.plugins, await together(options), manifest];
if (watching) {
  await (await context({ ...options, plugins })).watch();
} else {
  await build({ ...options, plugins });
  console.log(`Islands built in ${Math.round(performance.now() - started)} ms`);
}
