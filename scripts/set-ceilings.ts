/*
 * `npm run ceilings [-- --raise "WHY"]`: brings each ceiling in `ceilings.json` down to where the house stands now. With
 * --raise those that are too low rise, too, and the file keeps why.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loweredCeilings, raisedCeilings } from './compare-ceilings.ts';
import { measureHouse } from './measure-house.ts';

const path = join(import.meta.dirname, 'ceilings.json');
const { values } = parseArgs({ options: { raise: { type: 'string' } } });
const { raised, trip, ...ceilings } = JSON.parse(readFileSync(path, 'utf8'));
const measured = measureHouse(join(import.meta.dirname, '..'));
const rises = values.raise === undefined ? [] : raisedCeilings(measured, ceilings, values.raise);
writeFileSync(
	path,
	`${JSON.stringify({ ...loweredCeilings(measured, ceilings), trip, raised: [...raised, ...rises] }, null, '\t')}\n`,
);
