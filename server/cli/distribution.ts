import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot } from '../package-root.ts';

/** The two files of the hook, as the build leaves them and `init` copies them. */
export const HOOK_FILES = { 'hook.sh': 0o755, 'hook.cjs': 0o644 } as const;

/** The built file of this name. Throws when it is missing, with the command that makes it. */
export function builtFile(name: string): string {
	const path = join(findPackageRoot(), 'dist', name);
	if (existsSync(path)) return path;
	throw new Error(`${path} is missing. Run \`npm run build\` in the Signalbox folder, then try again.`);
}

/** The recorded session of `signalbox demo`: beside the program, in `dist/` as in the sources. */
export function demoRecording(): string {
	return join(import.meta.dirname, 'demo/session.jsonl');
}
