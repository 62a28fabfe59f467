import { type CommandResult, failed, SHELL_EXIT } from './command-result.ts';
import type { ChildEnd, ChildRun } from './run-child.ts';

/** What a program's end means to the one who asked for it; what is added to its output goes the same way. */
export async function resultOf(end: ChildEnd, run: ChildRun): Promise<CommandResult> {
	const { stdout, stderr } = end;
	const streamed = run.onOutput && { streamed: true as const };
	const but = async (message: string, exitCode: number): Promise<CommandResult> => {
		await run.onOutput?.(Buffer.from(message), 'stderr');
		return { stdout, stderr: stderr + message, exitCode, ...streamed };
	};
	switch (end.why) {
		case 'ended':
			return { stdout, stderr, exitCode: end.exitCode, ...streamed };
		case 'cancelled':
			return but('Command execution interrupted.\n', SHELL_EXIT.cancelled);
		case 'timed-out':
			return but(`Command timed out after ${run.timeoutMs} ms.\n`, SHELL_EXIT.timedOut);
		case 'not-started':
			return failed(`Command execution failed: ${run.program} cannot be started in ${run.cwd}.`);
	}
}
