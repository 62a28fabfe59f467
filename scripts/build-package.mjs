/*
 * What `npm pack` packs, from a build into .package: the programs with their packages inside, the built pages, and of Next,
 * React and the SQLite driver the files that are reached. All of it lies below `built`, its node_modules too: npm, which
 * looks at a package's own node_modules alone, has one package to install and no other to warn of.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { bundlePrograms, FOR_PACKAGE } from './bundle-programs.mjs';
import { BUILT, LICENCES, takePackageBack } from './lend-package.mjs';
import { writeLicences } from './package-licences.mjs';
import { ROOT } from './requirements.mjs';

const PACKAGE = join(ROOT, '.package');
const STAGE = join(PACKAGE, BUILT);
const MEGABYTE = 1e6;
const MOST = { packed: 15 * MEGABYTE, onDisk: 75 * MEGABYTE };
const DRIVER = '@photostructure/sqlite';

/** What is loaded only where sources are built or watched, by another router, or outside Node. */
const UNREACHED = [
	'**/*.{map,d.ts,dev.js,development.js}',
	'**/@next/swc*/**',
	'**/@img/**',
	'node_modules/{sharp,typescript,caniuse-lite,baseline-browser-mapping,detect-libc,semver}/**',
	'**/next/dist/{docs,build/webpack,build/babel}/**',
	'**/next/dist/server/capsize-font-metrics.json',
	'**/next/dist/compiled/{webpack,babel,babel-packages,terser,@babel,cssnano-simple,postcss-*,sass-loader,css-loader,node-html-parser,amphtml-validator,source-map08,image-size,next-devtools,@mswjs,@modelcontextprotocol,@vercel/nft,edge-runtime,@edge-runtime/primitives}/**',
	'**/next/dist/compiled/next-server/{app-page,app-page*-experimental,pages}.runtime.prod.js',
	'**/react-dom/cjs/*.{browser,bun,edge}.production.js',
];

/** What Next's custom server asks for at its start though nothing is built; no trace sees it. */
const ASKED = ['lib/typescript', 'lib/oxford-comma-list.js', 'compiled/comment-json', 'compiled/@vercel/detect-agent'];

/** Of the built pages these serve nothing: caches, types, what only the build reads, maps. */
const UNSERVED =
	/^(cache|types|diagnostics|trace.*|build|turbopack|.*\.nft\.json|inputs\.sha256|required-server-files\.js)$/;

const require = createRequire(import.meta.url);
/** What people read beside the programs; messages name the guides. */
const TEXTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/guide', 'docs/threat-model.md', 'docs/events.md'];

function filesBelow(folder) {
	return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = `${folder}/${entry.name}`;
		return entry.isDirectory() ? filesBelow(path) : [path];
	});
}

/** Copies a file of the repository, by its path in there, to the same place of the package. */
function stage(path) {
	const to = join(STAGE, path);
	mkdirSync(dirname(to), { recursive: true });
	cpSync(join(ROOT, path), to);
}

/** The files of node_modules that Next reaches when it serves built pages. */
async function reachedFiles() {
	const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft');
	const isUnreached = require('next/dist/compiled/picomatch')(UNREACHED);
	const next = join(ROOT, 'node_modules/next/dist');
	const { fileList } = await nodeFileTrace(
		['server/next.js', 'server/next-server.js', 'server/require-hook.js'].map((name) => join(next, name)),
		{ base: ROOT, conditions: ['node', 'import', 'production'], ignore: [...UNREACHED, '**/next/dist/server/dev/**'] },
	);
	const told = ['next-server.js.nft.json', 'next-minimal-server.js.nft.json'].flatMap((name) =>
		JSON.parse(readFileSync(join(ROOT, '.next', name), 'utf8')).files.map((file) =>
			relative(ROOT, resolve(ROOT, '.next', file)),
		),
	);
	const asked = ASKED.map((name) => `node_modules/next/dist/${name}`).flatMap((path) =>
		statSync(join(ROOT, path)).isDirectory() ? filesBelow(path) : [path],
	);
	return [...new Set([...fileList, ...told, ...asked])].filter(
		(path) => path.startsWith('node_modules/') && !isUnreached(path) && statSync(join(ROOT, path)).isFile(),
	);
}

/** Of the driver its program and the binaries of the systems that Signalbox runs on. */
const DRIVER_FILES = /^(dist\/(index|chunk-.*)\.mjs|prebuilds\/(linux|darwin)-.*|LICENSE|package\.json)$/;

function driverFiles() {
	const folder = `node_modules/${DRIVER}`;
	const own = filesBelow(folder).filter((path) => DRIVER_FILES.test(path.slice(folder.length + 1)));
	const loader = ['package.json', 'index.js', 'node-gyp-build.js', 'LICENSE'];
	return [...own, ...loader.map((name) => `node_modules/node-gyp-build/${name}`)];
}

/** The name of the package that holds a file below node_modules. */
const packageOf = (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

/** What Node has to know of a package inside this one: how its files are found. */
function trimManifest(name) {
	const path = join(STAGE, 'node_modules', name, 'package.json');
	const { version, license, type, main, module, exports } = JSON.parse(
		readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'),
	);
	writeFileSync(path, `${JSON.stringify({ name, version, license, type, main, module, exports })}\n`);
}

/** Built pages, and Next's settings without the folders of the machine that built them. */
function stagePages() {
	for (const entry of readdirSync(join(ROOT, '.next')).filter((name) => !UNSERVED.test(name))) {
		const path = `.next/${entry}`;
		const files = statSync(join(ROOT, path)).isDirectory() ? filesBelow(path) : [path];
		for (const file of files) if (!/\.(map|nft\.json)$/.test(file)) stage(file);
	}
	const { config } = JSON.parse(readFileSync(join(ROOT, '.next/required-server-files.json'), 'utf8'));
	const settings = { ...config, outputFileTracingRoot: undefined, turbopack: undefined, repoRoot: undefined };
	writeFileSync(join(STAGE, '.next/required-server-files.json'), JSON.stringify({ config: settings }));
}

/** Throws where something lies in the package that nobody runs, or where it says what folder it was built in. */
function checkContents(files) {
	const wrong = files.filter((path) => /\.(map|tsx?|test\.[cm]?js)$/.test(path) || path.includes('/.git'));
	if (wrong.length > 0) throw new Error(`The package holds what nobody runs: ${wrong.slice(0, 5).join(', ')}`);
	const telling = files.filter((path) => /\.(js|cjs|mjs|json|html)$/.test(path) && readFileSync(path).includes(ROOT));
	if (telling.length > 0) throw new Error(`The folder of the build is named in ${telling.slice(0, 5).join(', ')}`);
}

const inMegabytes = (bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`;

takePackageBack();
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
rmSync(PACKAGE, { recursive: true, force: true });
const programs = await bundlePrograms(join(STAGE, 'dist'), FOR_PACKAGE);
stagePages();
for (const path of [...filesBelow('public'), ...(await reachedFiles()), ...driverFiles()]) stage(path);
const packages = readdirSync(join(STAGE, 'node_modules'), { withFileTypes: true, recursive: true })
	.filter((entry) => entry.isFile())
	.map((entry) => packageOf(relative(STAGE, join(entry.parentPath, entry.name))));
const names = [...new Set(packages)].sort();
for (const name of names) trimManifest(name);
const { name, version, description, license, type, engines, bin, exports } = manifest;
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify({ name, version, license, type, engines })}\n`);
for (const file of TEXTS) cpSync(join(ROOT, file), join(PACKAGE, file), { recursive: true });
writeLicences(join(PACKAGE, LICENCES), Object.keys(programs.inputs), names);
const inBuilt = (paths) =>
	Object.fromEntries(Object.entries(paths).map(([key, path]) => [key, path.replace('./', `./${BUILT}/`)]));
const own = {
	...{ name, version, description, license, type, engines, bin: inBuilt(bin), exports: inBuilt(exports) },
	os: ['linux', 'darwin'],
	files: [BUILT, ...TEXTS, LICENCES],
};
writeFileSync(join(PACKAGE, 'package.json'), `${JSON.stringify(own, null, '\t')}\n`);
const staged = readdirSync(PACKAGE, { withFileTypes: true, recursive: true })
	.filter((entry) => entry.isFile())
	.map((entry) => join(entry.parentPath, entry.name));
checkContents(staged);
const onDisk = staged.reduce((sum, path) => sum + statSync(path).size, 0);
const [packed] = JSON.parse(
	execFileSync('npm', ['pack', '--json', '--dry-run', '--ignore-scripts', '--loglevel=error'], {
		cwd: PACKAGE,
		encoding: 'utf8',
	}),
);
console.log(`Package: ${inMegabytes(packed.size)} packed, ${inMegabytes(onDisk)} on disk, ${packed.entryCount} files`);
if (packed.entryCount !== staged.length) throw new Error(`npm packs ${packed.entryCount} files of ${staged.length}.`);
if (packed.size > MOST.packed || onDisk > MOST.onDisk) {
	throw new Error(`That is more than ${inMegabytes(MOST.packed)} packed or ${inMegabytes(MOST.onDisk)} on disk.`);
}
