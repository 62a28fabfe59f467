/*
 * What a fresh clone needs before anything can run: Node, Debian packages, the packages of package-lock.json.
 * Plain Node without dependencies, because nothing is installed yet.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder, absolute. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OLDEST_NODE = [20, 19];

/** Debian packages by the command that shows whether they are there. */
const TEST_TOOLS = { shellcheck: 'shellcheck', curl: 'curl', git: 'git', perl: 'perl-base' };
const BROWSER = { chromium: 'chromium' };
/** Where it is missing, the whole browser stands in for it. */
const QUICK_BROWSER = { 'chromium-headless-shell': 'chromium-headless-shell' };
/** Where these are missing, their tests are skipped. */
const OPTIONAL_TEST_TOOLS = {
	bwrap: 'bubblewrap',
	openssl: 'openssl',
	// Its own programs are on no PATH; these stand for them. Only the hub needs it, and a single machine never does.
	pg_ctlcluster: 'postgresql',
	// Only a hub of several replicas needs it.
	'redis-server': 'redis-server',
};

/** A requirement that the person has to meet; its message says how. */
export class RequirementError extends Error {}

/** Runs a command in the repository with its output shown. Throws RequirementError with what `advice` gives when it fails. */
function run(command, args, { env = {}, advice = () => '' } = {}) {
	const { status, error } = spawnSync(command, args, {
		cwd: ROOT,
		stdio: ['ignore', 'inherit', 'inherit'],
		env: { ...process.env, ...env },
	});
	if (status !== 0) {
		const why = error ? `: ${error.message}` : ' (see above)';
		throw new RequirementError([`\`${command} ${args.join(' ')}\` failed${why}.`, advice()].join('\n').trimEnd());
	}
}

function isOnPath(command) {
	return (process.env.PATH ?? '').split(delimiter).some((folder) => {
		try {
			accessSync(join(folder, command), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}

/** Throws RequirementError where this Node is too old. */
export function requireNode() {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = OLDEST_NODE;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
	throw new RequirementError(
		`Signalbox needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}. Install a newer Node and start again.`,
	);
}

/** Asking Debian anew which packages there are takes seconds. */
let isListUpdated = false;

function requireDebianPackages(packageByCommand) {
	const missing = Object.entries(packageByCommand)
		.filter(([command]) => !isOnPath(command))
		.map(([, name]) => name);
	if (missing.length === 0) return;
	if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
		throw new RequirementError(
			`Missing: ${missing.join(', ')}. Install them and start again; on Debian or Ubuntu:\n  sudo apt-get install ${missing.join(' ')}`,
		);
	}
	console.log(`Installing Debian packages: ${missing.join(', ')}`);
	const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
	if (!isListUpdated) run('apt-get', ['update', '-qq'], { env: quiet });
	isListUpdated = true;
	run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env: quiet });
}

/** Installs them where that is possible, else tells what is lost without them. */
function preferDebianPackages(packageByCommand) {
	try {
		requireDebianPackages(packageByCommand);
	} catch (error) {
		if (!(error instanceof RequirementError)) throw error;
		console.warn(`${error.message}\nUntil then the tests that use them are skipped or take longer.`);
	}
}

/** This system as packages ask for it that hold a program for one. */
const SYSTEM = {
	os: process.platform,
	cpu: process.arch,
	libc: process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc',
};

/** Whether an optional package holds what another one needs on a system: npm goes on where it cannot write it. */
const isForSystem = ({ os, cpu, libc }, system) =>
	os?.includes(system.os) && cpu?.includes(system.cpu) && (libc?.includes(system.libc) ?? true);

/**
 * The places of a lock's packages that are not among those found (as npm notes what it installed), for tests or without.
 *
 * @param {Record<string, Entry>} wanted
 * @param {Record<string, Entry>} found
 *
 * @typedef {{ version?: string, dev?: boolean, devOptional?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry
 */
export function missingPackages(wanted, found, { forTests = false, system = SYSTEM } = {}) {
	return Object.entries(wanted)
		.filter(([place, entry]) => {
			if (place === '' || (!forTests && (entry.dev || entry.devOptional))) return false;
			return (!entry.optional || isForSystem(entry, system)) && found[place]?.version !== entry.version;
		})
		.map(([place]) => place);
}

/** Whether node_modules holds what the lock says. */
function isInstalled(forTests) {
	try {
		const [wanted, found] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
			(path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages,
		);
		return missingPackages(wanted, found, { forTests }).length === 0;
	} catch {
		return false;
	}
}

/** Below it a disk counts as full: what npm and the builds write is larger, and they leave some bytes unused. */
const FULL_BYTES = 16 * 1024 * 1024;

/** What to do after something could not be installed or built. */
export function adviceOnFailure(otherwise) {
	const { bavail, bsize } = statfsSync(ROOT);
	if (bavail * bsize >= FULL_BYTES) return otherwise;
	return `The disk under ${ROOT} is full. Free about 700 MB there, then start again.`;
}

/**
 * Makes the repository ready to build and start, or to be tested: installs the packages, if they are not those of the lock.
 * Throws RequirementError with advice when something cannot be installed from here.
 */
export function ensurePackages({ forTests = false } = {}) {
	requireNode();
	if (isInstalled(forTests)) return;
	try {
		accessSync(ROOT, constants.W_OK);
	} catch {
		throw new RequirementError(`You may not write in ${ROOT}, where the packages go. Use a clone of your own.`);
	}
	console.log('Packages: installing, about half a minute');
	const started = performance.now();
	// A NODE_ENV of production would leave out what the tests need. Without a network npm would be silent for minutes.
	const retries = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000'];
	const quiet = ['--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
	run('npm', ['ci', forTests ? '--include=dev' : '--omit=dev', ...quiet, ...retries], {
		advice: () => adviceOnFailure("Check the network, npm's registry and its proxy (`npm ping`), then start again."),
	});
	if (!isInstalled(forTests)) {
		const otherwise = 'Remove node_modules, then start again.';
		throw new RequirementError(`npm has left packages out. ${adviceOnFailure(otherwise)}`);
	}
	console.log(`Packages: installed in ${secondsSince(started)} s`);
}

/** Whole seconds since a moment of performance.now(). */
export const secondsSince = (started) => Math.round((performance.now() - started) / 1000);

/**
 * What the tests need before their first step: a shell linter, for those in a browser Chromium, the packages, and a sandbox
 * if it can be had.
 */
export function ensureTestPackages({ browser }) {
	const ownBrowser = process.env.PLAYWRIGHT_CHROMIUM !== undefined;
	requireDebianPackages({ ...TEST_TOOLS, ...(browser && !ownBrowser && BROWSER) });
	preferDebianPackages({ ...OPTIONAL_TEST_TOOLS, ...(browser && !ownBrowser && QUICK_BROWSER) });
	ensurePackages({ forTests: true });
}

/** Prints a RequirementError as one message and ends the process; rethrows everything else. */
export function exitWithAdvice(error) {
	if (!(error instanceof RequirementError)) throw error;
	console.error(`\n${error.message}`);
	process.exit(1);
}
