import { isCommandTool } from '#lib/gates/command-policy/command-gate-name.ts';
import { isSubagentTool } from '#lib/routing/agent-name.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { profileOutput } from '../agents/claude-code/outputs.ts';
import type { HookInput } from '../agents/claude-code/read-input.ts';
import { holdCall } from './hold-call.ts';
import { type Call, type Judgement, judgeCall, mayHold } from './judge-call.ts';
import { offerRetry } from './offer-retry.ts';
import type { DraftEvent, HookAnswer, HookRun, Ports } from './ports.ts';
import type { FoundPlan } from './project.ts';
import { reportFailure } from './refuse-input.ts';
import { seal } from './seal.ts';
import { type Spawn, spawnInput } from './spawn-of.ts';
import { unratedSpawn } from './validators/unrated-spawn.ts';
import { wantSpawn } from './validators/want-assessment.ts';
import { flowNotes } from './workflow/flow-part.ts';
import type { Flow } from './workflow/flow-port.ts';
import { startDrafts } from './workflow/start-drafts.ts';

/** A call on its way through the gates. */
export interface StartCall {
	input: HookInput;
	run: HookRun;
	root: string;
	tool: string;
	/** What it asks for, if it starts sub-agents. */
	spawn: Spawn | null;
	plan: FoundPlan;
	settings: Settings;
	/** vibe-engine repairs something by itself right now. */
	autoFix: boolean;
	/** What is told of the call whatever the gates say. */
	drafts: readonly DraftEvent[];
}

/** What is printed for the call, and whether it may start. */
export type Started = Pick<HookAnswer, 'output' | 'held' | 'assess' | 'problem'> & { started: boolean };

/**
 * Judges a call and tells it: the verdicts, and only of a call that is not denied its start. `flow` is the
 * session's workflow, held under its lock. The verdict stands when nothing can be written.
 */
export function startCall(start: StartCall, flow: Flow | null, ports: Ports): Started {
	const { input, run, root, tool, plan, settings } = start;
	const began = ports.now();
	const call: Call = {
		project: root,
		tool,
		spawn: start.spawn,
		input: input.fields.tool_input ?? null,
		cwd: input.cwd ?? run.cwd ?? '',
		plan: plan.read,
		workflow: flow?.workflow ?? null,
		inside: input.agentId !== undefined,
		autoFix: start.autoFix,
	};
	const judged = judgeCall(call, settings);
	const blind = judged?.verdict.decision === 'deny' ? null : blindness(start);
	if (blind !== null) {
		ports.append(input.sessionId, seal(start.drafts, input, run, ports));
		return { output: profileOutput(run.profile, blind), started: false };
	}
	return tellStart(start, flow, call, judged, began, ports);
}

function tellStart(
	start: StartCall,
	flow: Flow | null,
	call: Call,
	judged: Judgement | null,
	began: number,
	ports: Ports,
): Started {
	const { input, run, root, tool, spawn, settings } = start;
	const workflow = flow?.workflow ?? null;
	const judgement = judged && offerRetry(judged, run, settings);
	const drafts = [...(flow ? flowNotes(flow) : []), ...start.drafts, ...verdictDrafts(judgement, ports.now() - began)];
	const allowed = judgement?.verdict.decision !== 'deny';
	const output = judgement?.output ?? null;
	const spawns = allowed && isSubagentTool(tool);
	const assess = spawns ? wantSpawn({ input, run, root, output }, settings, ports) : undefined;
	if (assess && !assess.deferred) drafts.push(...unratedSpawn(input));
	const started = allowed && !assess?.deferred;
	if (started && spawn) drafts.push(...startDrafts(spawnInput(spawn, call.input), workflow));
	try {
		ports.append(input.sessionId, seal(drafts, input, run, ports));
	} catch (error) {
		const failed = reportFailure(error, input, run, ports);
		return { output: judgement ? output : failed.output, problem: failed.problem, started };
	}
	if (assess?.deferred) return { output, started, assess };
	if (!judgement) return { output, started };
	const held = holdCall(call, judgement, input, run, ports, mayHold(judgement, settings));
	return { output, started, ...(held && { held }) };
}

/** Why a command cannot be judged although nothing speaks against it, where the hook denies what nobody could judge. */
function blindness({ run, tool, settings: { commands, gates } }: StartCall): string | null {
	if (run.profile !== 'closed' || !isCommandTool(tool) || gates.commandPolicy.enabled === false) return null;
	return commands.unread === undefined ? null : `no command can be judged: ${commands.unread}. Mend the file.`;
}

/** What is printed stands with the verdict that decides: a repeated run finds it there. */
function verdictDrafts(judgement: Judgement | null, durationMs: number): DraftEvent[] {
	if (!judgement) return [];
	const { form, output, mismatch } = judgement;
	const told = judgement.verdicts.map((verdict): DraftEvent => {
		const printed = verdict === judgement.verdict ? { form, output } : {};
		return { type: 'gate:verdict', ...verdict, durationMs, hook: 'PreToolUse', ...printed };
	});
	if (!mismatch || mismatch.actual === null) return told;
	const { planId = 'unknown', actual } = mismatch;
	return [...told, { type: 'routing:mismatch', planId, actual, expected: mismatch.expected.slice(0, 100) }];
}
