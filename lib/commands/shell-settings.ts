export type ShellEnv = Readonly<Record<string, string | undefined>>;

/** A limit that a person may set in the environment: a whole number above 0, else `fallback` (seed 003). */
export function limitOf(env: ShellEnv, name: string, fallback: number): number {
	const text = env[name]?.trim() ?? '';
	const value = /^\d{1,12}$/.test(text) ? Number(text) : 0;
	return value > 0 ? value : fallback;
}

/** The agent shell's name as a tool, in calls, verdicts and approvals of its lines. */
export const SHELL_TOOL = 'AgentShell';
