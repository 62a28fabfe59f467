import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from './bare-environment.ts';
import { REPOSITORY } from './repository.ts';

const run = promisify(execFile);
/** All that npm finds on PATH: no compiler, no python3. */
const TOOLS = ['node', 'npm', 'sh'];

/** A package that was installed as a stranger does it. */
export interface InstalledPackage {
	/** Its `signalbox`. */
	program: string;
	/** What npm said, of all runs. */
	said(): string;
	/** Installs the same archive again, as an upgrade does. */
	install(): Promise<void>;
	uninstall(): Promise<void>;
	/** What is left where it was installed. */
	left(): string[];
	remove(): void;
}

function linkTool(folder: string, name: string): void {
	const found = (process.env.PATH ?? '')
		.split(delimiter)
		.map((place) => join(place, name))
		.find(existsSync);
	if (found === undefined) throw new Error(`${name} is not on PATH.`);
	symlinkSync(realpathSync(found), join(folder, name));
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
	await run(process.execPath, [join(REPOSITORY, 'scripts/build-package.mjs'), root], { cwd: REPOSITORY });
	const archive = join(root, readdirSync(root).find((name) => name.endsWith('.tgz')) ?? '');
	const said: string[] = [];
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
		said.push(stdout, stderr);
	};
	return {
		program: join(folder, 'node_modules/signalbox/dist/signalbox.js'),
		said: () => said.join(''),
		install: () => npm('install', archive),
		uninstall: () => npm('uninstall', 'signalbox'),
		left: () => readdirSync(join(folder, 'node_modules'), { recursive: true }).map(String),
		remove: () => rmSync(root, { recursive: true }),
	};
}
