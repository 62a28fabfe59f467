import { execFile } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from './bare-environment.ts';
import { REPOSITORY, SIGNALBOX } from './repository.ts';

const run = promisify(execFile);
/** All that npm finds on PATH: no compiler, no python3. */
const TOOLS = ['node', 'npm', 'sh'];
const NEWER = '99.0.0';

/** A package that was installed as a stranger does it. */
export interface InstalledPackage {
	/** Its `signalbox`. */
	program: string;
	/** Size of the file that `npm pack` makes. */
	packedBytes: number;
	/** What npm said, of all runs. */
	said(): string;
	install(): Promise<void>;
	/** Installs a newer version over it, and gives which. */
	upgrade(): Promise<string>;
	uninstall(): Promise<void>;
	/** What is left where it was installed. */
	left(): string[];
	remove(): void;
}

function linkTool(folder: string, name: string): void {
	const found = (process.env.PATH ?? '')
		.split(delimiter)
		.map((folder) => join(folder, name))
		.find(existsSync);
	if (found === undefined) throw new Error(`${name} is not on PATH.`);
	symlinkSync(realpathSync(found), join(folder, name));
}

/** What `npm pack` packs, of the build that is there: made by the tests' build step, or now. */
async function stagedPackage(): Promise<string> {
	const staged = join(REPOSITORY, '.package');
	const madeAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	if (madeAt(join(staged, 'package.json')) < madeAt(SIGNALBOX)) {
		await run(process.execPath, [join(REPOSITORY, 'scripts/build-package.mjs')], { cwd: REPOSITORY });
	}
	return staged;
}

/** Copies a staged package to `to` under another version. */
function copyAs(version: string, staged: string, to: string): void {
	cpSync(staged, to, { recursive: true });
	for (const manifest of ['package.json', 'built/package.json']) {
		const path = join(to, manifest);
		writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }));
	}
}

/**
 * Packs the build, and makes an empty folder for it whose name has a blank and an umlaut: with an empty cache, a registry
 * that nobody can reach, and without scripts.
 */
export async function packForInstalling(): Promise<InstalledPackage> {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'sbx-Gerät mit ')));
	const tools = join(root, 'tools');
	const folder = join(root, 'installed');
	for (const made of [tools, folder]) mkdirSync(made);
	for (const name of TOOLS) linkTool(tools, name);
	const staged = await stagedPackage();
	const pack = async (cwd: string) => {
		const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', root], { cwd });
		return join(root, stdout.trim());
	};
	const archive = await pack(staged);
	const output: string[] = [];
	const npm = async (...args: string[]) => {
		const { stdout, stderr } = await run('npm', args, {
			cwd: folder,
			env: bareEnvironment({
				PATH: tools,
				HOME: root,
				npm_config_cache: join(root, 'cache'),
				npm_config_registry: 'http://127.0.0.1:9/',
				npm_config_ignore_scripts: 'true',
			}),
		});
		output.push(stdout, stderr);
	};
	return {
		program: join(folder, 'node_modules/signalbox/built/dist/signalbox.js'),
		packedBytes: statSync(archive).size,
		said: () => output.join(''),
		install: () => npm('install', archive),
		async upgrade() {
			copyAs(NEWER, staged, join(root, 'newer'));
			await npm('install', await pack(join(root, 'newer')));
			return NEWER;
		},
		uninstall: () => npm('uninstall', 'signalbox'),
		left: () => readdirSync(join(folder, 'node_modules'), { recursive: true }).map(String),
		remove: () => rmSync(root, { recursive: true }),
	};
}
