const GUARDED: readonly string[] = ['node', 'bun', 'npm', 'yarn', 'git', 'python', 'tsc', 'eslint', 'jest'];
const SEARCH: readonly string[] = ['grep', 'find', 'rg'];
/** Shorter messages are noise. */
const WORTH_CHARS = 20;

/** The programs of a command line, as far as they can be told without parsing a shell: the first word of each part. */
function programs(command: string): string[] {
	return command
		.slice(0, 4000)
		.split(/&&|\|\||[;|\n]/)
		.map((part) => /^\s*(?:[A-Za-z_]\w*=\S*\s+)*(?:\S*\/)?([\w.-]+)/.exec(part)?.[1] ?? '');
}

/** The program whose failure needs more than another try; nothing for other commands or short messages. */
export function guardedProgram(command: string, stderr: string): string | undefined {
	if (stderr.trim().length <= WORTH_CHARS) return undefined;
	return programs(command).find((program) => GUARDED.includes(program));
}

/** The search program that a command uses although the agent has tools of its own for searching. */
export function searchProgram(command: string): string | undefined {
	return programs(command).find((program) => SEARCH.includes(program));
}

/** What the main agent is told when a guarded program failed. */
export function guardAdvice(program: string): string {
	return `${program} reported an error. Do not repair it yourself: delegate debugger to find the cause, then developer to fix it.`;
}
