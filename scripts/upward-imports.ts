import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import type { Room } from './floor-table.ts';

const IMPORT = /(?:from|import)\s*\(?\s*'((?:\.|#)[^']+)'/g;
/** Tests and what only they import may look anywhere. */
const TESTS = /\.(test|spec|contract)\.tsx?$|(^|\/)testing\//;

/**
 * Imports of `tree` (a folder, from `root`) that run from a room to one above it by `rooms` (ground first), and rooms that
 * stand on one side only: each as a sentence that says which way is open.
 */
export function upwardImports(root: string, tree: string, rooms: readonly Room[]): string[] {
	const order = rooms.map(([name]) => name);
	const folders = readdirSync(join(root, tree), { withFileTypes: true }).filter((entry) => entry.isDirectory());
	const found = folders.map(({ name }) => name).filter((name) => name !== 'testing');
	return [
		...found
			.filter((name) => !order.includes(name))
			.map((name) => `${tree}/${name} has no floor: add it to scripts/floor-table.ts.`),
		...order
			.filter((name) => !found.includes(name))
			.map((name) => `${tree}/${name} is in scripts/floor-table.ts and not on disk: take it out there.`),
		...filesOf(join(root, tree)).flatMap((file) => wrongImportsOf(root, tree, file, order)),
	];
}

function wrongImportsOf(root: string, tree: string, file: string, order: readonly string[]): string[] {
	const source = readFileSync(join(root, tree, file), 'utf8');
	return [...source.matchAll(IMPORT)].flatMap(([, path = '']) => {
		const target = (path.startsWith('#') ? path.slice(1) : normalize(join(tree, file, '..', path))).replaceAll(
			sep,
			'/',
		);
		if (!target.startsWith(`${tree}/`) || TESTS.test(target)) return [];
		const from = roomOf(file);
		const to = roomOf(target.slice(tree.length + 1));
		// A file of the tree itself, in no room, is ground for all of them.
		if (from === null || from === to || to === null || order.indexOf(from) > order.indexOf(to)) return [];
		return [
			`${tree}/${file} imports ${target}: ${tree}/${from} stands below ${tree}/${to}, so only ${to} may import ${from}. Move what both need down, or hand it in as an argument.`,
		];
	});
}

const filesOf = (folder: string): string[] =>
	readdirSync(folder, { recursive: true })
		.map((path) => String(path).split(sep).join('/'))
		.filter((path) => /\.tsx?$/.test(path) && !TESTS.test(path));

const roomOf = (file: string): string | null => (file.includes('/') ? file.slice(0, file.indexOf('/')) : null);
