import type { UsageTotals } from '../contract/events/usage.ts';
import type { FileWork, StageRun } from '../contract/sessions/read-model/session-view.ts';
import type { UsagePart } from '../contract/sessions/read-model/usage-view.ts';
import { isAgentOpen } from '../session/fold-agent.ts';
import { isCallOpen } from '../session/fold-call.ts';
import type { AgentView, SessionView } from '../session/view.ts';
import { shortPath } from '../text/short-path.ts';
import { tokensOf } from '../usage/usage-totals.ts';

/** How long a stage took in all its runs, and what its models took. */
export interface StageTime {
	stage: string;
	runs: readonly StageRun[];
	/** Milliseconds; a run that goes on counts up to now. */
	ms: number;
	usage?: UsageTotals;
}

/** The stages that ran, in the order of their first runs. `now` in milliseconds since the epoch. */
export function stageTimes(
	{ stageRuns = [], usage }: Pick<SessionView, 'stageRuns' | 'usage'>,
	now: number,
): StageTime[] {
	const stages = [...new Set(stageRuns.map(({ stage }) => stage))];
	return stages.map((stage) => {
		const runs = stageRuns.filter((run) => run.stage === stage);
		const ms = runs.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0);
		const used = usage?.stages.find(({ name, others }) => name === stage && !others);
		return { stage, runs, ms, ...(used && { usage: used }) };
	});
}

/** An agent with what it does at this moment. */
export interface AgentNow {
	/** Empty for the main agent. */
	agentId: string;
	name: string;
	stage?: string;
	isOpen: boolean;
	/** ISO. */
	from?: string;
	to?: string;
	/** Its open call that began last: a tool and what it is about, as agent text. */
	doing?: { text: string; row: string; since: string };
	calls?: number;
	usage?: UsageTotals;
}

/** So many agents that have ended are listed. */
const MOST_ENDED = 12;

/** The main agent, then those at work, then the last ones that have ended. */
export function agentsNow(view: Pick<SessionView, 'agents' | 'calls' | 'usage' | 'cwd' | 'turn'>): AgentNow[] {
	const main: AgentNow = { agentId: '', name: 'main', isOpen: view.turn === 'running', ...partsOf(view, '') };
	const open = view.agents.filter(isAgentOpen).map((agent) => agentNow(view, agent));
	const ended = view.agents.filter((agent) => !isAgentOpen(agent)).slice(-MOST_ENDED);
	return [main, ...open, ...ended.map((agent) => agentNow(view, agent)).reverse()];
}

function agentNow(view: Parameters<typeof agentsNow>[0], agent: AgentView): AgentNow {
	const { agentId, name, stage, startedAt, endedAt, closed, calls } = agent;
	const isOpen = isAgentOpen(agent);
	const to = isOpen ? undefined : (endedAt ?? closed?.at);
	return {
		...{ agentId, name, isOpen, calls },
		...(stage !== undefined && { stage }),
		...(startedAt !== undefined && { from: startedAt }),
		...(to !== undefined && { to }),
		...partsOf(view, agentId),
	};
}

function partsOf({ calls, usage, cwd }: Parameters<typeof agentsNow>[0], agentId: string) {
	const own = calls.filter((call) => (call.agentId ?? '') === agentId && isCallOpen(call));
	const [call] = own.sort((one, other) => other.seq - one.seq);
	const used = usage?.agents.find(({ name, others }) => name === agentId && !others);
	const text = call && `${call.tool} ${shortPath(call.title, cwd ?? null)}`.trim();
	return {
		...(call && text && { doing: { text, row: `call:${call.toolUseId}`, since: call.calledAt ?? call.at } }),
		...(used && { usage: used }),
	};
}

/** A part of a whole: `share` is 0 to 1. */
export interface Share {
	name: string;
	share: number;
}

/** A tool's part of all calls. */
export interface ToolShare extends Share {
	calls: number;
	ms: number;
}

/** So many tools are named; the others stand as one. */
const MOST_TOOLS = 8;

/** Tools by their number of calls, the most used first; those beyond the first ones as `others`, without a name. */
export function toolShares({ work }: Pick<SessionView, 'work'>): ToolShare[] {
	const tools = [...(work?.tools ?? [])].filter(({ calls }) => calls > 0).sort((one, other) => other.calls - one.calls);
	const all = tools.reduce((sum, { calls }) => sum + calls, 0);
	const rest = tools.slice(MOST_TOOLS);
	const others = rest.reduce((sum, { calls, ms }) => ({ name: '', calls: sum.calls + calls, ms: sum.ms + ms }), {
		...{ name: '', calls: 0, ms: 0 },
	});
	const named = rest.length > 0 ? [...tools.slice(0, MOST_TOOLS), others] : tools;
	return named.map((tool) => ({ ...tool, share: tool.calls / all }));
}

/** Files by how much was written into them, the most first, with paths relative to the project's folder. */
export function filesTouched({ work, cwd }: Pick<SessionView, 'work' | 'cwd'>): FileWork[] {
	const size = ({ added, removed }: FileWork) => added + removed;
	return [...(work?.files ?? [])]
		.sort((one, other) => size(other) - size(one))
		.map((file) => ({ ...file, path: shortPath(file.path, cwd ?? null) }));
}

/** A part of what was spent, by its cost, or by its tokens where nothing has a price. */
export interface UsageShare extends Share {
	part: UsagePart;
}

/** The parts of a bar, the largest first. */
export function usageShares(parts: readonly UsagePart[]): UsageShare[] {
	const cost = parts.reduce((sum, part) => sum + part.costUsd, 0);
	const sizeOf = (part: UsagePart) => (cost > 0 ? part.costUsd : tokensOf(part));
	const all = parts.reduce((sum, part) => sum + sizeOf(part), 0);
	return [...parts]
		.sort((one, other) => sizeOf(other) - sizeOf(one))
		.map((part) => ({ name: part.name, share: all > 0 ? sizeOf(part) / all : 0, part }));
}
