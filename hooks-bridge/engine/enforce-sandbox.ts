import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { inputWithLine } from '#lib/agents/read-deed.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import { sandboxEntry, withoutSandboxEntry } from '#lib/commands/sandbox-entry.ts';
import { COMMAND_GATE } from '#lib/gates/command-policy/command-policy-gate.ts';
import { joinDecisions, type Verdict } from '#lib/gates/gate.ts';
import type { Judgement } from '#lib/gates/gate-table.ts';
import type { Json } from '#lib/json/json.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { HookContext } from './facts.ts';

/**
 * The changed input that makes a command run in the sandbox after it passed the command policy (`commands.enforce`); undefined if
 * that is not enforced. If a person allowed what the policy denied, it runs as they saw it, outside.
 */
export function enforcedInput(
	{ deed, input }: ToolCall,
	verdicts: readonly Verdict[],
	{ project, ports }: HookContext,
): Json | undefined {
	if (deed.does !== 'run-command' || deed.line === null) return undefined;
	const clear = verdicts.find(({ gate, rule }) => gate === COMMAND_GATE && rule === 'command.clear');
	const program = clear?.facts.enforce === 'sandbox' ? ports.sandboxEntry?.() : undefined;
	const line = program && sandboxEntry(deed.line, program, project);
	return line ? inputWithLine(input, line) : undefined;
}

/** A judgement; if no gate objects, its answer also hands the client the changed input. */
export function enforceSandbox(judged: Judgement, call: ToolCall, context: HookContext): Judgement {
	const input = judged.verdict.decision === 'pass' ? enforcedInput(call, judged.verdicts, context) : undefined;
	return input ? { ...judged, decision: joinDecisions(judged.decision, { decision: 'pass', input }) } : judged;
}

/** A hook with the command as the agent wrote it: the client reports back the changed command. */
export function withoutEntry(hook: AgentHook): AgentHook {
	if (hook.at !== 'result' && hook.at !== 'failure' && hook.at !== 'permission') return hook;
	const { tool, input, deed } = hook.call;
	if (deed.does !== 'run-command' || deed.line === null) return hook;
	const line = withoutSandboxEntry(deed.line);
	if (line === deed.line) return hook;
	return { ...hook, call: adapterOf(hook.agent).readCall(tool, inputWithLine(input, line), hook.raw) };
}
