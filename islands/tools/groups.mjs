// Which modules are loaded together. esbuild makes a file of the modules that the same pages use, which is a file for
// nearly every small module, and each costs a phone a way there and back: a page had up to fifty. What asks the
// shop as soon as it is imported, such as a cart, is in no group.
import { readFile } from 'node:fs/promises';
import { extname, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const GROUPS = {
  // What every page loads before a touch.
  page: [
    'badge',
    'clock',
    'lang',
    'money',
    'near',
    'stores/known-place',
    'stores/prices',
    'stores/snapshot',
    'stores/storage',
    'stores/visit',
    'ui/icons',
  ],
  calls: ['api/client', 'api/errors', 'stores/session', 'ui/announce', 'ui/dom'],
  texts: ['i18n', 'ui/toast', 'ui/toast-region'],
  components: [
    'jsx/jsx-runtime',
    'leaving',
    'personal',
    'ui/Button',
    'ui/Field',
    'ui/Icon',
    'ui/later',
    'ui/LoadFailure',
    'ui/Notice',
    'ui/PageLoading',
    'ui/ProductPicture',
    'ui/Skeleton',
  ],
  forms: [
    'form/ErrorSummary',
    'form/PasswordField',
    'form/PinField',
    'form/pin',
    'form/SelectField',
    'form/serverErrors',
    'form/StillWorking',
    'form/useErrors',
    'ui/Dialog',
  ],
  carts: [
    'stores/cart-notices',
    'stores/cart-rules',
    'stores/cart-words',
    'stores/guest-cart',
    'stores/line-writer',
    'stores/server-cart-rules',
    'stores/server-cart-state',
    'stores/unsaved',
  ],
  place: ['stores/address', 'stores/place', 'stores/preview'],
  addresses: ['addresses/AddressText', 'addresses/useCountries', 'stores/addresses'],
  account: [
    'checkout/urls',
    'orders/dates',
    'orders/listing',
    'orders/Pager',
    'orders/status',
    'pay/payTypes',
    'stores/customer',
  ],
};

/** Names an entry by its path: islands/cart/index.tsx → cart, static/css/shop.css → css/shop. */
export function entryName(source) {
  return source.replace(/^(islands|static)\//, '').replace(/(\/index)?\.(tsx?|json|css)$/, '');
}

const GROUP_OF = Object.fromEntries(
  Object.entries(GROUPS).flatMap(([group, names]) => names.map((name) => [name, group])),
);

/** Gives the groups of which an entry uses a module, directly or through others. */
function groupsOf(entry, inputs) {
  const groups = new Set();
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind } of inputs[file].imports) if (kind === 'import-statement') visit(path);
    const group = GROUP_OF[entryName(file)];
    if (!group || groups.has(group)) return;
    groups.add(group);
    for (const member of Object.keys(inputs)) if (GROUP_OF[entryName(member)] === group) visit(member);
  };
  visit(entry);
  return [...groups];
}

/** Finds by a first build, of which nothing is written, what is an entry and which groups it uses. */
async function findEntries(options) {
  const { metafile } = await build({ ...options, write: false });
  const entries = Object.values(metafile.outputs).map(({ entryPoint }) => entryPoint);
  return new Map(
    entries
      .filter((entry) => /^islands\/.*\.tsx?$/.test(entry))
      .map((entry) => [entry, groupsOf(entry, metafile.inputs)]),
  );
}

/**
 * Makes the plugin that adds to each entry the whole of the groups that it uses a module of. A module of a group that is
 * an entry itself becomes one through a module next to it, since it cannot import what imports it.
 */
export async function together(options) {
  const entries = await findEntries(options);
  const isMember = (file) => entryName(relative('.', file)) in GROUP_OF;
  const importsFor = (file) =>
    (entries.get(relative('.', file)) ?? [])
      .flatMap((group) => GROUPS[group])
      .map((name) => `import '${resolve('islands', name)}';`)
      .join('');
  return {
    name: 'together',
    setup(bundle) {
      bundle.onResolve({ filter: /^\./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData?.isResolved) return;
        const resolved = await bundle.resolve(path, {
          kind,
          importer,
          resolveDir,
          pluginData: { isResolved: true },
        });
        if (isMember(resolved.path)) return { path: resolved.path, namespace: 'together' };
      });
      bundle.onLoad({ filter: /.*/, namespace: 'together' }, ({ path }) => ({
        contents: `${importsFor(path)}export * from '${path}';`,
        resolveDir: '.',
      }));
      bundle.onLoad({ filter: /\/islands\/.*\.tsx?$/ }, async ({ path }) => {
        const imports = isMember(path) ? '' : importsFor(path);
        if (imports) {
          return { contents: imports + (await readFile(path, 'utf8')), loader: extname(path).slice(1) };
        }
      });
    },
  };
}
