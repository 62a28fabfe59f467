import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../process/package-root.ts';

export type HookFile =
	| 'enter-sandbox.cjs'
	| 'enter-sandbox.sh'
	| 'hook-commands.cjs'
	| 'hook-engine.cjs'
	| 'hook.cjs'
	| 'hook.sh';

/** The files of the hook with their modes, in the order in which `init` copies them: a new file must never call an older one. */
export const HOOK_FILES: Readonly<Record<HookFile, number>> = {
	'enter-sandbox.cjs': 0o644,
	'enter-sandbox.sh': 0o755,
	'hook-commands.cjs': 0o644,
	'hook-engine.cjs': 0o644,
	'hook.cjs': 0o644,
	'hook.sh': 0o755,
};

/** The built file of this name. If it is missing, throws with the command that builds it. */
export function builtFile(name: string): string {
	const path = join(findPackageRoot(), 'dist', name);
	if (existsSync(path)) return path;
	throw new Error(`${path} is missing. Run \`npm run build\` in the Signalbox folder, then try again.`);
}
