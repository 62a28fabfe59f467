/*
 * The hook as hook.sh and three files for node, beside it the program that puts a command into the sandbox. hook.sh is two programs, each of which skips the other: one for sh, and
 * behind it one for perl. Most hooks only tell what happened; gates, workflows and features are two thirds of the code,
 * and a node that starts reads all of a file before it runs any of it. So they are cut off at a few functions and go
 * into hook-engine.cjs beside hook.cjs, which is loaded when the first of these functions is called. From that the
 * command policy is cut off in turn: it holds a parser, and only command lines under a policy need it.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './requirements.mjs';

/** Where the hook is cut: of these modules hook.cjs may use these functions alone. The sources know nothing of it. */
const CUTS = new Map([
	['hooks-bridge/agents/other-makes.ts', ['otherAdapter']],
	['hooks-bridge/disk/project-files.ts', ['editProjectFile', 'listProjectFiles']],
	['hooks-bridge/engine/decide-call.ts', ['decideCall', 'decideEnd', 'holdPermission', 'wantAssessment']],
	['hooks-bridge/engine/perform-effects.ts', ['performEffects']],
	['hooks-bridge/engine/routing/decide-route.ts', ['decideRoute']],
	['hooks-bridge/supervisor/supervise.ts', ['supervise']],
	['hooks-bridge/features/feature-port.ts', ['createFeaturePort']],
	['hooks-bridge/engine/workflow/decide-flow.ts', ['decideFlow']],
	['hooks-bridge/disk/flow-store.ts', ['createFlowStore']],
	['hooks-bridge/disk/session-files.ts', ['createSessionFiles']],
]);

/** Where both are cut: the gate table, which both read, names the policy. */
const COMMAND_CUTS = new Map([
	['lib/commands/canonical-command.ts', ['canonicalCommand', 'plainWords']],
	['lib/commands/command-policy.ts', ['judgeCommand', 'listCommands']],
]);

const ENGINE = './hook-engine.cjs';
const COMMANDS = './hook-commands.cjs';

/** The last words of a file that others load: without them its end is missing, and nobody knows what it leaves undone. */
const END = { js: 'module.exports.isWhole=true;' };

/** Puts stubs that load `file` in the place of modules. Whoever imports anything else from them fails the build. */
function cut(modules, file) {
	const cutOff = `${basename(file)} is cut off: a person has to run signalbox init`;
	const load = `const load = () => {
		const part = require('${file}');
		if (part.isWhole !== true) throw new Error('${cutOff}');
		return part;
	};`;
	const stubOf = (name) => `export const ${name} = (...args) => load().${name}(...args);`;
	const stubs = new Map(
		[...modules].map(([path, names]) => [join(ROOT, path), [load, ...names.map(stubOf)].join('\n')]),
	);
	return {
		name: `cut ${file}`,
		setup(bundler) {
			bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => (stubs.has(path) ? { contents: stubs.get(path) } : undefined));
		},
	};
}

/** What the hook uses of node's own modules that are slow to load: each is loaded when its first function is called. */
const SLOW = new Map([
	['node:child_process', ['spawn', 'spawnSync']],
	['node:crypto', ['hash', 'randomUUID']],
]);

/** Puts such functions in the place of the slow modules, in all that imports them. */
const LAZY = {
	name: 'lazy modules of node',
	setup(bundler) {
		bundler.onResolve({ filter: /^node:/ }, ({ path }) => (SLOW.has(path) ? { path, namespace: 'slow' } : undefined));
		bundler.onLoad({ filter: /./, namespace: 'slow' }, ({ path }) => {
			const stubOf = (name) =>
				`export const ${name} = (...args) => process.getBuiltinModule('${path}').${name}(...args);`;
			return { contents: (SLOW.get(path) ?? []).map(stubOf).join('\n') };
		});
	},
};

const contentsOf = (modules) =>
	[...modules].map(([path, names]) => `export { ${names.join(', ')} } from './${path}';`).join('\n');

/**
 * The files, each with its name, text and mode. Throws when zod is in one, or the shell's parser in another than its
 * own, and names the files that import it.
 */
export async function bundleHook() {
	const shared = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', minify: true, metafile: true };
	const options = { ...shared, absWorkingDir: ROOT, logLevel: 'warning', write: false };
	const built = await Promise.all([
		build({
			...options,
			entryPoints: ['hooks-bridge/hook/hook.ts'],
			outfile: 'hook.cjs',
			external: [ENGINE, COMMANDS],
			plugins: [cut(CUTS, ENGINE), cut(COMMAND_CUTS, COMMANDS), LAZY],
		}),
		build({
			...options,
			entryPoints: ['hooks-bridge/shell/sandbox/enter-sandbox.ts'],
			outfile: 'enter-sandbox.cjs',
			external: [COMMANDS],
			plugins: [cut(COMMAND_CUTS, COMMANDS), LAZY],
		}),
		build({
			...options,
			stdin: { contents: contentsOf(CUTS), resolveDir: ROOT, loader: 'ts' },
			outfile: ENGINE,
			footer: END,
			external: [COMMANDS],
			plugins: [cut(COMMAND_CUTS, COMMANDS), LAZY],
		}),
		build({
			...options,
			stdin: { contents: contentsOf(COMMAND_CUTS), resolveDir: ROOT, loader: 'ts' },
			outfile: COMMANDS,
			footer: END,
		}),
	]);
	for (const { metafile } of built) refuse('zod', metafile.inputs, 'would cost every run 40 ms');
	// The command file alone holds the parser: another module that calls it belongs into COMMAND_CUTS.
	for (const { metafile } of built.slice(0, -1)) refuse('unbash', metafile.inputs, 'is for COMMAND_CUTS');
	const forNode = built.map(({ outputFiles: [file] }) => ({ name: basename(file.path), text: file.text, mode: 0o644 }));
	const entry = readFileSync(join(ROOT, 'hooks-bridge/shell/sandbox/enter-sandbox.sh'), 'utf8');
	const forShells = [
		{ name: 'hook.sh', text: hookScript(), mode: 0o755 },
		{ name: 'enter-sandbox.sh', text: entry, mode: 0o755 },
	];
	return [...forNode, ...forShells];
}

/** hook.sh as it is installed: sh ends before it comes to the part for perl, and `perl -x` begins there. */
export function hookScript() {
	const parts = ['hook.sh', 'hook.pl'].map((name) => readFileSync(join(ROOT, 'hooks-bridge/hook', name), 'utf8'));
	return parts.join('\n');
}

/** Throws when a package is in a file that must not hold it, and names the modules that import it. */
export function refuse(name, inputs, why) {
	const isFrom = (path) => new RegExp(`(^|/)node_modules/${name}/`).test(path);
	const importers = Object.entries(inputs).filter(
		([path, input]) => !isFrom(path) && input.imports.some((used) => isFrom(used.path)),
	);
	if (importers.length === 0) return;
	throw new Error(
		`The hook must not contain ${name}, which ${why}. It comes from: ${importers.map(([path]) => path).join(', ')}`,
	);
}
