import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** A file, and behind it, in brackets or after a comma, the functions that the way passes there. */
const STATION = /\[([\w./-]+)\]\(\.\.\/([\w./-]+)\)(?:[ (,]+((?:`[#\w]+`,? ?)+)\)?)?/g;
const NAME = /`([#\w]+)`/g;

test('the way of a held call names files that exist and functions that stand in them', () => {
	const page = readFileSync(join(ROOT, 'docs/held-call.md'), 'utf8').replaceAll(/\s+/g, ' ');
	const stations = [...page.matchAll(STATION)].map(([, shown = '', path = '', names = '']) => ({
		...{ shown, path, names: [...names.matchAll(NAME)].map(([, name = '']) => name) },
	}));
	expect(stations.length).toBeGreaterThan(30);
	for (const { shown, path, names } of stations) {
		expect(shown).toBe(path);
		expect(existsSync(join(ROOT, path)), path).toBe(true);
		const words = new Set(readFileSync(join(ROOT, path), 'utf8').match(/#?\w+/g));
		expect(
			names.filter((name) => !words.has(name)),
			path,
		).toEqual([]);
	}
	expect(stations.filter(({ names }) => names.length === 0)).toEqual([]);
});
