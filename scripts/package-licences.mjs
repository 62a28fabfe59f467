import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './requirements.mjs';

/** Each typeface has its licence beside it. */
const FONTS = join(ROOT, 'app/fonts');
const TEXT = /^(licen[cs]e|copying|notice)([-.].*)?$/i;
/** Needed only where something is built or tested. */
const isOnlyOfBuild = (entry) => entry.dev === true || entry.optional === true;

/** The places in node_modules of all packages whose code is inside: of the programs, the pages and Next. */
function placesOf(inputs, names) {
	const bundled = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
	const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
	const ofPages = Object.entries(packages)
		.filter(([place, entry]) => place !== '' && !isOnlyOfBuild(entry) && !entry.peer)
		.map(([place]) => place);
	const places = new Set([...bundled, ...ofPages, ...names.map((name) => `node_modules/${name}`)]);
	places.delete(undefined);
	return [...places].filter((place) => existsSync(join(ROOT, place, 'package.json'))).sort();
}

/** The texts of a package's licence files; where it has none, what its package.json names. */
function licenceOf(place) {
	const folder = join(ROOT, place);
	const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const texts = readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isFile() && TEXT.test(entry.name))
		.map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
	return texts.length > 0 ? texts.join('\n\n') : `Licence: ${typeof license === 'string' ? license : 'not named'}`;
}

/**
 * Writes to `path` the licences of everything that the package holds: each text once, under the packages it is for.
 * `inputs` are the files that went into the programs, `names` the packages beside them.
 */
export function writeLicences(path, inputs, names) {
	const byText = new Map();
	for (const place of placesOf(inputs, names)) {
		const { name, version } = JSON.parse(readFileSync(join(ROOT, place, 'package.json'), 'utf8'));
		const text = licenceOf(place);
		byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
	}
	for (const file of readdirSync(FONTS).filter((name) => name.endsWith('.txt'))) {
		byText.set(readFileSync(join(FONTS, file), 'utf8').trim(), [file.replace('-license.txt', '.woff2')]);
	}
	const parts = [...byText].map(([text, of]) => `${[...new Set(of)].join(', ')}\n\n${text}\n`);
	const line = `\n${'-'.repeat(80)}\n\n`;
	writeFileSync(path, `Signalbox holds code of these packages, under these licences.\n${line}${parts.join(line)}`);
}
