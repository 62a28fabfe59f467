import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { AgentSetup } from './agent-setup.ts';

/** Whose machine it is, as far as clients ask. */
export interface Person {
	env: Readonly<Record<string, string | undefined>>;
	cwd: string;
}

/** A client's own folder, absolute. */
export function agentFolder({ folder }: Pick<AgentSetup, 'folder'>, { env, cwd }: Person): string {
	const moved = folder.variable === undefined ? undefined : env[folder.variable];
	if (moved) return resolve(cwd, moved, folder.below ?? '');
	return resolve(cwd, env.HOME || homedir(), folder.at);
}
