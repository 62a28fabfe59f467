/* `npm run ceilings`: brings each ceiling in `ceilings.json` down to where the house stands now. None rises. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loweredCeilings } from './compare-ceilings.ts';
import { measureHouse } from './measure-house.ts';

const path = join(import.meta.dirname, 'ceilings.json');
const { raised, trip, ...ceilings } = JSON.parse(readFileSync(path, 'utf8'));
const lowered = loweredCeilings(measureHouse(join(import.meta.dirname, '..')), ceilings);
writeFileSync(path, `${JSON.stringify({ ...lowered, trip, raised }, null, '\t')}\n`);
