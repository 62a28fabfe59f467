/*
 * The hook as two files. Most hooks only tell what happened; gates, workflows and features are two thirds of the code,
 * and a node that starts reads all of a file before it runs any of it. So they are cut off at a few functions and go
 * into hook-engine.cjs beside hook.cjs, which is loaded when the first of these functions is called.
 */
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './requirements.mjs';

/** Where the hook is cut: of these modules hook.cjs may use these functions alone. The sources know nothing of it. */
const CUTS = new Map([
	['hooks-bridge/project-files.ts', ['editProjectFile', 'listProjectFiles']],
	['hooks-bridge/routing/route-answer.ts', ['routeAnswer', 'trackTask']],
	['hooks-bridge/start-call.ts', ['startCall']],
	['hooks-bridge/supervisor/supervise.ts', ['supervise']],
	['hooks-bridge/workflow/feature-port.ts', ['createFeaturePort']],
	['hooks-bridge/workflow/flow-answer.ts', ['flowAnswer']],
	['hooks-bridge/workflow/flow-store.ts', ['createFlowStore']],
	['hooks-bridge/workflow/session-files.ts', ['createSessionFiles']],
]);

const stubOf = (name) => `export const ${name} = (...args) => require('./hook-engine.cjs').${name}(...args);`;

/** Puts stubs in the place of the cut modules. Whoever imports anything else from them fails the build. */
const cut = {
	name: 'cut',
	setup(bundler) {
		const stubs = new Map([...CUTS].map(([path, names]) => [join(ROOT, path), names.map(stubOf).join('\n')]));
		bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => (stubs.has(path) ? { contents: stubs.get(path) } : undefined));
	},
};

/**
 * The two files, each with its name and text. Throws when zod is in one, which would cost every run 40 ms, and names the
 * files that import it.
 */
export async function bundleHook() {
	const engine = [...CUTS].map(([path, names]) => `export { ${names.join(', ')} } from './${path}';`);
	const shared = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', minify: true, metafile: true };
	const options = { ...shared, absWorkingDir: ROOT, logLevel: 'warning', write: false };
	const built = await Promise.all([
		build({
			...options,
			entryPoints: ['hooks-bridge/hook.ts'],
			outfile: 'hook.cjs',
			external: ['./hook-engine.cjs'],
			plugins: [cut],
		}),
		build({
			...options,
			stdin: { contents: engine.join('\n'), resolveDir: ROOT, loader: 'ts' },
			outfile: 'hook-engine.cjs',
		}),
	]);
	for (const { metafile } of built) refuseZod(metafile.inputs);
	return built.map(({ outputFiles: [file] }) => ({ name: basename(file.path), text: file.text }));
}

function refuseZod(inputs) {
	const isZod = (path) => /(^|\/)node_modules\/zod\//.test(path);
	const importers = Object.entries(inputs).filter(
		([path, input]) => !isZod(path) && input.imports.some((used) => isZod(used.path)),
	);
	if (importers.length === 0) return;
	throw new Error(`The hook must not contain zod. It comes from: ${importers.map(([path]) => path).join(', ')}`);
}
