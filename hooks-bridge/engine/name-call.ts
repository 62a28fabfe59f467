import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { agentTable } from '#lib/agents/agent-table.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import type { HookRun, ReadPorts } from '../ports/ports.ts';
import { canonicalJson } from './canonical-json.ts';

const unnamed: readonly string[] = agentTable.filter(({ can }) => !can.callIds).map(({ name }) => name);

/** What the lines of a session say of one call that has not ended. */
interface OpenCall {
	id: string;
	isDenied: boolean;
	isApproved: boolean;
}

/**
 * The hook with an id for its call, where its client gives none: made of tool, input and run, so that equal calls beside
 * each other stay apart. An outcome belongs to the newest call like it that is open: one that was denied comes last,
 * and where a person changed the input it is like the call of that tool that was approved.
 */
export function nameCall(hook: AgentHook, run: HookRun, sight: Pick<ReadPorts, 'digest' | 'linesWith'>): AgentHook {
	if (hook.toolUseId !== undefined || !unnamed.includes(hook.agent)) return hook;
	if (hook.at !== 'call' && hook.at !== 'result' && hook.at !== 'failure') return hook;
	const short = (text: string) => sight.digest(text).slice(0, 10);
	const ofTool = `${short(`${hook.agentId ?? ''} ${hook.call.tool}`)}-`;
	const ofCall = `${ofTool}${short(inputOf(hook.call))}-`;
	const own = `${ofCall}${short(run.requestId)}`;
	if (hook.at === 'call') return { ...hook, toolUseId: own };
	const open = openCalls(sight.linesWith(hook.sessionId, ofTool), ofTool);
	const same = open.filter(({ id }) => id.startsWith(ofCall));
	const found = same.find(({ isDenied }) => !isDenied) ?? same[0] ?? open.find(({ isApproved }) => isApproved);
	return { ...hook, toolUseId: found?.id ?? own };
}

const inputOf = ({ input }: ToolCall): string => canonicalJson(input);

/** Newest first. */
function openCalls(lines: readonly Readonly<Record<string, unknown>>[], prefix: string): OpenCall[] {
	const open = new Map<string, OpenCall>();
	for (const { type, toolUseId: id, decision } of lines) {
		if (typeof id !== 'string' || !id.startsWith(prefix)) continue;
		const call = open.get(id);
		if (type === 'tool:call') open.set(id, { id, isDenied: false, isApproved: false });
		else if (type === 'tool:result' || type === 'tool:error') open.delete(id);
		else if (call) judgeOpen(call, type, decision);
	}
	return [...open.values()].reverse();
}

function judgeOpen(call: OpenCall, type: unknown, decision: unknown): void {
	if (type === 'gate:verdict' && decision !== 'pass') call.isDenied = true;
	if (type === 'grant:use') call.isDenied = false;
	if (type === 'approval:resolve' && decision === 'approve') Object.assign(call, { isDenied: false, isApproved: true });
	if (type === 'approval:late') Object.assign(call, { isDenied: true, isApproved: false });
}
