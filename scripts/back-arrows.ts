import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const IMPORT = /(?:from|import)\s*\(?\s*'((?:\.|#)[^']+)'/g;

/**
 * The imports between two folders of `room` that both import each other, of each such pair those of the direction with
 * fewer: `a/x.ts -> b/y.ts`. Tests, their support and files that lie in no folder of the room count for nothing.
 */
export function backArrows(room: string): string[] {
	const arrows = new Map<string, string[]>();
	for (const file of filesOf(room)) {
		for (const target of targetsOf(room, file)) {
			const [from, to] = [folderOf(file), folderOf(target)];
			if (to === null || from === null || from === to) continue;
			const key = `${from} ${to}`;
			arrows.set(key, [...(arrows.get(key) ?? []), `${file} -> ${target}`]);
		}
	}
	return [...arrows].flatMap(([key, there]) => {
		const back = arrows.get(key.split(' ').reverse().join(' '));
		if (!back || back.length < there.length) return [];
		return back.length > there.length || key < key.split(' ').reverse().join(' ') ? there : [];
	});
}

const filesOf = (room: string): string[] =>
	readdirSync(join(ROOT, room), { recursive: true })
		.map((path) => String(path).split(sep).join('/'))
		.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('testing/'));

/** What a file imports of its room, as paths within it. */
function targetsOf(room: string, file: string): string[] {
	const source = readFileSync(join(ROOT, room, file), 'utf8');
	return [...source.matchAll(IMPORT)].flatMap(([, path = '']) => {
		const target = path.startsWith('#') ? path.slice(1) : normalize(join(room, file, '..', path));
		return target.startsWith(`${room}/`) ? [target.slice(room.length + 1)] : [];
	});
}

const folderOf = (file: string): string | null => (file.includes('/') ? file.slice(0, file.indexOf('/')) : null);
