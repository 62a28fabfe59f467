import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Versions with known holes end below these. */
const FLOORS: Readonly<Record<string, string>> = {
	next: '16.4.6',
	'socket.io-parser': '4.2.7',
	'engine.io': '6.6.9',
	sharp: '0.35.5',
	'drizzle-orm': '0.45.4',
};

const isAtLeast = (version: string, floor: string) => version.localeCompare(floor, 'en', { numeric: true }) >= 0;

test('R791 no dependency, however deep, is older than the version that closed its known holes', () => {
	const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { version?: string }>;
	};
	const found = Object.entries(packages).flatMap(([path, { version = '' }]) => {
		const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
		return name in FLOORS ? [{ path, version, floor: FLOORS[name] ?? '' }] : [];
	});
	expect(found.map(({ path }) => path)).toEqual(
		expect.arrayContaining(['node_modules/next', 'node_modules/engine.io']),
	);
	expect(found.filter(({ version, floor }) => !isAtLeast(version, floor))).toEqual([]);
	expect([isAtLeast('16.4.10', '16.4.6'), isAtLeast('6.6.9', '6.6.12')]).toEqual([true, false]);
});

/** The product's sources below these folders, without tests. */
const sourcesOf = (...folders: string[]) =>
	folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true })
			.map((path) => join(ROOT, folder, String(path)))
			.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path)),
	);

test('R924 what scrolls sideways shows that there is more', () => {
	const scrolling = sourcesOf('app', 'components').flatMap((path) =>
		readFileSync(path, 'utf8')
			.split('\n')
			.filter((line) => line.includes('overflow-x-auto')),
	);
	expect(scrolling.length).toBeGreaterThan(3);
	expect(scrolling.filter((line) => !/scroll-hint|fade-ends/.test(line))).toEqual([]);
});

test('R1353 the lock names no registry: a fresh clone installs from whichever one its machine has', () => {
	const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { resolved?: string }>;
	};
	expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

test('R792 no source makes HTML of text, evaluates text, or opens what only a server function would', () => {
	const sources = sourcesOf('app', 'components', 'lib', 'server', 'hooks-bridge');
	expect(sources.length).toBeGreaterThan(300);
	const never =
		/dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(|['"]use (?:server|cache)['"]|access-control-allow/i;
	const found = sources.flatMap((path) => {
		const match = never.exec(readFileSync(path, 'utf8'));
		return match ? [`${path}: ${match[0]}`] : [];
	});
	expect(found).toEqual([]);
});
