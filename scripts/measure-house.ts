import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const TREES = ['app', 'components', 'server', 'lib', 'hooks-bridge'];
const NOT_PRODUCT = /\.(test|spec|contract)\.tsx?$|\/testing\/|migrations/;
/** Names that ended in these words said in a dialect of ours what the field has a term for. */
const DIALECT =
	/\b(?:[A-Z][a-zA-Z]*|[a-z][a-zA-Z]*)(?:Desk|Book|Keeper|Shelf|Reel|Sight|World|Ground|Standing|Place|Pace|Told|Said|Knock)\b/g;

/** The house in numbers, as `ceilings.json` limits them: by what is measured, then by room, folder or trip. */
export type HouseNumbers = Record<string, Record<string, number>>;

/** Lines a room, entries a folder, names of the dialect and lines of the rules below `root`. Tests count for nothing. */
export function measureHouse(root: string): HouseNumbers {
	const lines: Record<string, number> = {};
	const entries: Record<string, number> = {};
	const names = new Set<string>();
	for (const path of TREES.flatMap((tree) => filesOf(root, tree))) {
		const text = readFileSync(join(root, path), 'utf8');
		const room = path.split('/').slice(0, 2).join('/');
		const key = /\.tsx?$/.test(room) || path.startsWith('app/') ? (path.split('/')[0] ?? '') : room;
		lines[key] = (lines[key] ?? 0) + text.split('\n').length;
		for (const [name] of text.matchAll(DIALECT)) names.add(name);
	}
	for (const folder of TREES.flatMap((tree) => [tree, ...roomsOf(root, tree)])) {
		entries[folder] = readdirSync(join(root, folder)).filter((name) => !NOT_PRODUCT.test(`/${name}`)).length;
	}
	const rules = readFileSync(join(root, 'docs/rules.md'), 'utf8').split('\n').length;
	return { lines, entries, other: { 'names of the dialect': names.size, 'lines of docs/rules.md': rules } };
}

const filesOf = (root: string, tree: string): string[] =>
	readdirSync(join(root, tree), { recursive: true })
		.map((path) => `${tree}/${String(path).split(sep).join('/')}`)
		.filter((path) => /\.tsx?$/.test(path) && !NOT_PRODUCT.test(path));

const roomsOf = (root: string, tree: string): string[] =>
	tree === 'app'
		? []
		: readdirSync(join(root, tree), { withFileTypes: true })
				.filter((entry) => entry.isDirectory() && entry.name !== 'testing')
				.map(({ name }) => `${tree}/${name}`);
