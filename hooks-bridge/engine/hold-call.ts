import type { Denial } from '#lib/contract/catalogue/approval.ts';
import { withFingerprint } from '#lib/grants/covers.ts';
import type { HookInput } from '../agents/claude-code/read-input.ts';
import { runInput } from '../agents/claude-code/run-input.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Call, Judgement } from './judge-call.ts';
import type { HeldCall, HookRun, Ports } from './ports.ts';

/** A denial with everything that is needed to release it; nothing for any other judgement. */
export function holdCall(
	call: Call,
	judgement: Judgement,
	input: HookInput,
	run: HookRun,
	ports: Ports,
	mayWait: boolean,
): HeldCall | undefined {
	const { verdict, form, output } = judgement;
	if (verdict.decision !== 'deny' || !form || !output) return undefined;
	return {
		sessionId: input.sessionId,
		agentId: input.agentId,
		toolUseId: input.toolUseId,
		tool: call.tool,
		input: call.input,
		inputDigest: digestOfCall(call.tool, call.input, ports, input.cwd),
		denials: denialsOf(judgement),
		mayWait,
		output,
		form,
		facts: verdict.facts,
		hookInput: input.fields,
		run,
	};
}

/** The denials of a judgement, each with its fingerprint. */
export function denialsOf({ verdicts }: Judgement): Denial[] {
	return verdicts.filter(({ decision }) => decision === 'deny').map(withFingerprint);
}

/**
 * What was judged, what a person's decision is bound to, and what really ran: SHA-256 of the tool's name and its canonical
 * input, without what the client itself changes of it. `cwd` is the call's, for a path that is not whole.
 */
export function digestOfCall(tool: string, input: unknown, ports: Pick<Ports, 'digest'>, cwd?: string): string {
	return ports.digest(canonicalJson({ tool, input: runInput(tool, input, cwd) }));
}
