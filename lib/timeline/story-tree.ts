import type { Row } from '../session/row.ts';
import { stageBase } from '../workflow/stage-keys.ts';

/** A thing of the story that holds no others. */
export interface StoryLeaf {
	kind: 'leaf';
	row: Row;
}

/** A stage's run or an agent, with what happened in it. Its own rows are its call, its starts and its ends. */
export interface StoryBranch {
	kind: 'branch';
	of: 'stage' | 'agent';
	/** That of its first row; of an agent whose start is not loaded its own. */
	key: string;
	rows: Row[];
	children: StoryNode[];
	stage?: string;
	/** Its agents: of a stage with a single one that one, whose row it shares. */
	agentIds: string[];
}

export type StoryNode = StoryLeaf | StoryBranch;

const AGENT_STARTS: ReadonlySet<string> = new Set(['agent:start', 'agent:delegate']);
const AGENT_ENDS: ReadonlySet<string> = new Set(['agent:complete', 'agent:error']);
/** After these no stage runs any more, whether it came to its end or not. */
const ALL_OVER: ReadonlySet<string> = new Set(['workflow:complete', 'workflow:abort', 'session:end']);

const agentIdOf = ({ agentId, agent, type }: Row): string | undefined =>
	agentId ?? (type.startsWith('agent:') && agent !== undefined ? `name:${agent}` : undefined);

/**
 * The rows of a story as a tree of stages, agents and calls, in whatever order they are given. Every row is in it
 * exactly once: the starts and ends of a stage or an agent, and the call that started it, are the rows of its branch.
 * What an agent did is below it, an agent below its stage, else below whoever called it.
 */
export function storyTree(rows: readonly Row[]): StoryNode[] {
	const ordered = isAscending(rows) ? rows : [...rows].sort((one, other) => one.seq - other.seq);
	const tree: Growing = { top: [], agents: new Map(), running: [], stageOfAgent: stagesOfAgents(ordered) };
	for (const row of ordered) {
		const own = row.type.startsWith('stage:') ? stageRow(tree, row) : agentRow(tree, row);
		if (!own) (homeOf(tree, row)?.children ?? tree.top).push({ kind: 'leaf', row });
		if (ALL_OVER.has(row.type)) tree.running = [];
	}
	return tree.top.map(withOnlyAgent);
}

/** A tree as far as its rows have been read. */
interface Growing {
	top: StoryNode[];
	/** By agent id. */
	agents: Map<string, StoryBranch>;
	/** Stages that have not ended, the last begun last. */
	running: StoryBranch[];
	stageOfAgent: ReadonlyMap<string, string>;
}

function stagesOfAgents(rows: readonly Row[]): Map<string, string> {
	const stages = new Map<string, string>();
	for (const row of rows) {
		const id = row.stage === undefined ? undefined : agentIdOf(row);
		if (id !== undefined && row.stage !== undefined) stages.set(id, row.stage);
	}
	return stages;
}

/** Takes a row of a stage into its branch; false where it has none. */
function stageRow(tree: Growing, row: Row): boolean {
	if (row.type === 'stage:start') {
		const { key, stage = row.title } = row;
		const branch: StoryBranch = { kind: 'branch', of: 'stage', key, stage, rows: [row], children: [], agentIds: [] };
		tree.top.push(branch);
		tree.running.push(branch);
		return true;
	}
	if (row.type !== 'stage:complete') return false;
	const begun =
		tree.running.findLast(({ stage }) => stage === row.stage) ??
		tree.running.findLast(({ stage }) => isSameStage(stage, row.stage ?? ''));
	if (!begun) return false;
	tree.running = tree.running.filter((each) => each !== begun);
	begun.rows.push(row);
	return true;
}

/** Takes the call that started an agent, its start or its end into its branch; false where the row is none of them. */
function agentRow(tree: Growing, row: Row): boolean {
	const id = agentIdOf(row);
	const started = row.call?.startedAgentId;
	if (started !== undefined && started !== id && !tree.agents.has(started)) {
		const caller = id === undefined ? undefined : (tree.agents.get(id) ?? addAgent(tree, id));
		addAgent(tree, started, row, caller);
		return true;
	}
	const known = id === undefined ? undefined : tree.agents.get(id);
	if (known && (AGENT_STARTS.has(row.type) || AGENT_ENDS.has(row.type))) {
		known.rows.push(row);
		return true;
	}
	if (id === undefined || !AGENT_STARTS.has(row.type)) return false;
	addAgent(tree, id, row);
	return true;
}

function addAgent(tree: Growing, id: string, head?: Row, caller?: StoryBranch): StoryBranch {
	const branch: StoryBranch = {
		...{ kind: 'branch', of: 'agent', key: head?.key ?? `agent:${id}` },
		...{ rows: head ? [head] : [], children: [], agentIds: [id] },
	};
	const stage = tree.stageOfAgent.get(id);
	const own = stage === undefined ? undefined : tree.running.findLast((each) => isSameStage(each.stage, stage));
	((own ?? caller ?? tree.running.at(-1))?.children ?? tree.top).push(branch);
	tree.agents.set(id, branch);
	return branch;
}

/** Whose doing a row is: its agent's, though its start may not be loaded, else that of the stage that runs. */
function homeOf(tree: Growing, row: Row): StoryBranch | undefined {
	const id = agentIdOf(row);
	if (id === undefined || AGENT_ENDS.has(row.type)) return tree.running.at(-1);
	return tree.agents.get(id) ?? addAgent(tree, id);
}

/** A stage on which a single agent works, and nobody else does anything, is one line with it. */
function withOnlyAgent(node: StoryNode): StoryNode {
	const [only, other] = node.kind === 'branch' && node.of === 'stage' ? node.children : [];
	if (node.kind !== 'branch' || other || only?.kind !== 'branch') return node;
	return { ...node, rows: [...node.rows, ...only.rows], children: only.children, agentIds: only.agentIds };
}

const isSameStage = (one: string | undefined, other: string): boolean =>
	one !== undefined && (one === other || stageBase(one) === other || one === stageBase(other));

function isAscending(rows: readonly Row[]): boolean {
	return rows.every((row, at) => at === 0 || (rows[at - 1]?.seq ?? 0) <= row.seq);
}

/** All calls below a branch, and all agents. */
export function countIn(branch: StoryBranch): { calls: number; agentIds: readonly string[] } {
	let calls = 0;
	const agentIds = new Set(branch.agentIds);
	const look = (nodes: readonly StoryNode[]) => {
		for (const node of nodes) {
			if (node.kind === 'leaf') calls += node.row.call ? 1 : 0;
			else {
				for (const id of node.agentIds) agentIds.add(id);
				look(node.children);
			}
		}
	};
	look(branch.children);
	return { calls, agentIds: [...agentIds] };
}
