import { categoryOf } from '../contract/events/event-labels.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import { alarmOf, isDenied, isOverridden, outcomeOf, requestedAgentOf } from '../session/call.ts';
import { stageBase } from '../workflow/registry.ts';

/** A line of the story: a row, several like calls in one line, or a stage or agent with the lines below it. */
export type StoryItem =
	| { kind: 'row'; key: string; depth: number; row: Row; open: boolean }
	| { kind: 'fold'; key: string; depth: number; rows: readonly Row[]; open: boolean }
	| (Pick<StoryBranch, 'of' | 'key' | 'rows' | 'stage' | 'agentIds'> & {
			kind: 'branch';
			depth: number;
			open: boolean;
			calls: number;
			allAgentIds: readonly string[];
	  });

export type StoryReading = 'tree' | 'flat';

const FOLD_FROM = 3;

/**
 * Neighbouring plain calls of one actor with one tool are folded ("Read x14"). `toggled` has lines whose initial state is
 * inverted: folds and changes are initially closed, branches open. A line equal to one of `earlier` is the same object, so that
 * it is not drawn again.
 */
export function storyItems(
	rows: readonly Row[],
	reading: StoryReading,
	toggled: ReadonlySet<string>,
	earlier: readonly StoryItem[] = [],
): StoryItem[] {
	const nodes = reading === 'tree' ? storyTree(rows) : rows.map((row): StoryNode => ({ kind: 'leaf', row }));
	const before = new Map(earlier.map((item) => [item.key, item]));
	const items: StoryItem[] = [];
	for (const item of itemsOf(nodes, 0, toggled)) {
		const same = before.get(item.key);
		items.push(same && isSame(same, item) ? same : item);
	}
	return items;
}

function* itemsOf(list: readonly StoryNode[], depth: number, toggled: ReadonlySet<string>): Generator<StoryItem> {
	for (let index = 0; index < list.length; ) {
		const node = list[index];
		if (node?.kind === 'branch') {
			const item = branchItem(node, depth, !toggled.has(node.key));
			yield item;
			if (item.open) yield* itemsOf(node.children, depth + 1, toggled);
			index++;
			continue;
		}
		const run = runFrom(list, index);
		index += run.length;
		yield* runItems(run, depth, toggled);
	}
}

function branchItem({ kind, of, key, rows, stage, agentIds, ...node }: StoryBranch, depth: number, open: boolean) {
	const { calls, agentIds: allAgentIds } = countIn({ kind, of, key, rows, agentIds, ...node });
	return { kind, of, key, rows, agentIds, allAgentIds, depth, open, calls, ...(stage !== undefined && { stage }) };
}

function runItems(run: readonly Row[], depth: number, toggled: ReadonlySet<string>): StoryItem[] {
	const [first] = run;
	const isFold = first !== undefined && run.length >= FOLD_FROM;
	const fold = `fold:${first?.key}`;
	const open = toggled.has(fold);
	const rowItem = (row: Row): StoryItem => ({
		kind: 'row',
		key: row.key,
		row,
		open: toggled.has(row.key),
		depth: isFold ? depth + 1 : depth,
	});
	if (!isFold) return run.map(rowItem);
	return [{ kind: 'fold', key: fold, depth, rows: run, open }, ...(open ? run.map(rowItem) : [])];
}

export const rowsOfItem = (item: StoryItem): readonly Row[] => (item.kind === 'row' ? [item.row] : item.rows);

export const callOfItem = (item: StoryItem): CallView | undefined =>
	item.kind === 'fold' ? undefined : rowsOfItem(item).find(({ call }) => call)?.call;

export const isOpenable = (item: StoryItem): boolean => item.kind !== 'row' || item.row.call?.edit !== undefined;

/** The row that a line leads to: of a branch the call or report of its agent, else its end. */
export function rowOfItem(item: StoryItem): Row | undefined {
	if (item.kind !== 'branch') return rowsOfItem(item)[0];
	const { rows } = item;
	return rows.find(({ call }) => call) ?? rows.findLast(({ type }) => type === 'agent:complete') ?? rows.at(-1);
}

function isSame(one: StoryItem, other: StoryItem): boolean {
	if (one.kind !== other.kind || one.depth !== other.depth || one.open !== other.open) return false;
	if (one.kind === 'row') return other.kind === 'row' && one.row === other.row;
	if (other.kind === 'row' || !isSameList(one.rows, other.rows)) return false;
	if (one.kind === 'fold' || other.kind === 'fold') return true;
	return one.calls === other.calls && isSameList(one.allAgentIds, other.allAgentIds);
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
	one.length === other.length && one.every((each, position) => each === other[position]);

function runFrom(list: readonly StoryNode[], from: number): Row[] {
	const first = list[from];
	if (first?.kind !== 'leaf') return [];
	const run = [first.row];
	if (!isPlain(first.row)) return run;
	for (let next = list[from + 1]; next?.kind === 'leaf'; next = list[from + run.length]) {
		if (!isPlain(next.row) || !isSameKind(first.row, next.row)) break;
		run.push(next.row);
	}
	return run;
}

const isSameKind = (a: Row, b: Row) => a.call?.tool === b.call?.tool && a.agentId === b.agentId;

/** Whether the call needs no attention: it ran without an objection or a question. */
function isPlain(row: Row): boolean {
	const { call } = row;
	if (!call || call.agentName || call.approval || call.mismatch || row.unverified) return false;
	if (isOverridden(call) || call.verdicts.some((verdict) => verdict.decision !== 'pass')) return false;
	return outcomeOf(call) === 'ran';
}

interface StoryLeaf {
	kind: 'leaf';
	row: Row;
}

/** A stage's run or an agent. Its own rows are its call, its starts and its ends. */
interface StoryBranch {
	kind: 'branch';
	of: 'stage' | 'agent';
	key: string;
	rows: Row[];
	children: StoryNode[];
	stage?: string;
	/** For a stage with a single agent: that agent, whose row it shares. */
	agentIds: string[];
}

export type StoryNode = StoryLeaf | StoryBranch;

const AGENT_STARTS: ReadonlySet<string> = new Set(['agent:start', 'agent:delegate']);
const AGENT_ENDS: ReadonlySet<string> = new Set(['agent:complete', 'agent:error']);
const ENDS_ALL: ReadonlySet<string> = new Set(['workflow:complete', 'workflow:abort', 'session:end']);

const agentIdOf = ({ agentId, agent, type }: Row): string | undefined =>
	agentId ?? (type.startsWith('agent:') && agent !== undefined ? `name:${agent}` : undefined);

/**
 * Every row is in the tree once: starts, ends and the starting call are the rows of a branch, an agent's deeds are below it, and
 * an agent is below its stage, else below its caller.
 */
export function storyTree(rows: readonly Row[]): StoryNode[] {
	const ordered = isAscending(rows) ? rows : [...rows].sort((one, other) => one.seq - other.seq);
	const tree: GrowingTree = { top: [], agents: new Map(), running: [], stageOfAgent: stagesOfAgents(ordered) };
	for (const row of ordered) {
		const own = row.type.startsWith('stage:') ? stageRow(tree, row) : agentRow(tree, row);
		if (!own) (branchOf(tree, row)?.children ?? tree.top).push({ kind: 'leaf', row });
		if (ENDS_ALL.has(row.type)) tree.running = [];
	}
	return tree.top.map(mergeOnlyAgent);
}

interface GrowingTree {
	top: StoryNode[];
	agents: Map<string, StoryBranch>;
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

function stageRow(tree: GrowingTree, row: Row): boolean {
	if (row.type === 'stage:start') {
		const { key, stage = row.title } = row;
		const branch: StoryBranch = { kind: 'branch', of: 'stage', key, stage, rows: [row], children: [], agentIds: [] };
		tree.top.push(branch);
		tree.running.push(branch);
		return true;
	}
	if (row.type !== 'stage:complete') return false;
	const running =
		tree.running.findLast(({ stage }) => stage === row.stage) ??
		tree.running.findLast(({ stage }) => isSameStage(stage, row.stage ?? ''));
	if (!running) return false;
	tree.running = tree.running.filter((each) => each !== running);
	running.rows.push(row);
	return true;
}

function agentRow(tree: GrowingTree, row: Row): boolean {
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

function addAgent(tree: GrowingTree, id: string, head?: Row, caller?: StoryBranch): StoryBranch {
	const branch: StoryBranch = {
		kind: 'branch',
		of: 'agent',
		key: head?.key ?? `agent:${id}`,
		rows: head ? [head] : [],
		children: [],
		agentIds: [id],
	};
	const stage = tree.stageOfAgent.get(id);
	const own = stage === undefined ? undefined : tree.running.findLast((each) => isSameStage(each.stage, stage));
	((own ?? caller ?? tree.running.at(-1))?.children ?? tree.top).push(branch);
	tree.agents.set(id, branch);
	return branch;
}

/** The branch of a row: its agent's, whose start may not be loaded, else the running stage's. */
function branchOf(tree: GrowingTree, row: Row): StoryBranch | undefined {
	const id = agentIdOf(row);
	if (id === undefined || AGENT_ENDS.has(row.type)) return tree.running.at(-1);
	return tree.agents.get(id) ?? addAgent(tree, id);
}

/** A stage with only one agent shares a line with it. */
function mergeOnlyAgent(node: StoryNode): StoryNode {
	if (node.kind !== 'branch' || node.of !== 'stage' || node.children.length !== 1) return node;
	const [agent] = node.children;
	if (agent?.kind !== 'branch') return node;
	return { ...node, rows: [...node.rows, ...agent.rows], children: agent.children, agentIds: agent.agentIds };
}

const isSameStage = (one: string | undefined, other: string): boolean =>
	one !== undefined && (one === other || stageBase(one) === other || one === stageBase(other));

function isAscending(rows: readonly Row[]): boolean {
	return rows.every((row, index) => index === 0 || (rows[index - 1]?.seq ?? 0) <= row.seq);
}

function countIn(branch: StoryBranch): { calls: number; agentIds: readonly string[] } {
	let calls = 0;
	const agentIds = new Set(branch.agentIds);
	const visitNodes = (nodes: readonly StoryNode[]) => {
		for (const node of nodes) {
			if (node.kind === 'leaf') calls += node.row.call ? 1 : 0;
			else {
				for (const id of node.agentIds) agentIds.add(id);
				visitNodes(node.children);
			}
		}
	};
	visitNodes(branch.children);
	return { calls, agentIds: [...agentIds] };
}

export const decisions = ['denied', 'approved', 'waiting', 'failed', 'alarm'] as const;
type DecisionFilter = (typeof decisions)[number];

export interface StoryFilter {
	tool: string | null;
	agent: string | null;
	type: string | null;
	decision: DecisionFilter | null;
	label?: string | null;
}

export const isFiltering = (filter: StoryFilter) => Object.values(filter).some((value) => value !== null);

/** Rows that the catalogue hides are shown only by a filter of their type. */
export function showsRow(row: Row, filter: StoryFilter): boolean {
	if (!row.shown && !row.call && filter.type === null) return false;
	if (filter.tool !== null && row.call?.tool !== filter.tool) return false;
	if (filter.agent !== null && (row.agentId ?? 'main') !== filter.agent) return false;
	if (filter.type !== null && categoryOf(row.type) !== filter.type) return false;
	return filter.decision === null || hasDecision(row, filter.decision);
}

function hasDecision({ call, unverified }: Row, decision: DecisionFilter): boolean {
	if (!call) return decision === 'alarm' && unverified === true;
	switch (decision) {
		case 'denied':
			// Also calls that were denied in the client's own prompt, or by the client itself.
			return isDenied(call) || isOverridden(call) || outcomeOf(call) === 'stopped';
		case 'approved':
			return isOverridden(call) || isAnsweredPrompt(call);
		case 'waiting':
			return outcomeOf(call) === 'waiting';
		case 'failed':
			return outcomeOf(call) === 'failed';
		case 'alarm':
			return alarmOf(call) !== undefined || call.approval?.unverified === true;
	}
}

function isAnsweredPrompt({ approval }: CallView): boolean {
	if (!approval?.isPrompt || approval.unverified) return false;
	return approval.state === 'approved' || approval.state === 'answered';
}

/** Only what occurs in these rows. */
export function filterChoices(rows: readonly Row[]): { tools: string[]; agents: string[]; types: string[] } {
	const tools = new Set<string>();
	const agents = new Set<string>();
	const types = new Set<string>();
	for (const row of rows) {
		if (row.call) tools.add(row.call.tool);
		// Compaction ends agents without any other event; their rows are hidden.
		if (row.shown || row.call) agents.add(row.agentId ?? 'main');
		types.add(categoryOf(row.type));
	}
	return { tools: [...tools].sort(), agents: [...agents].sort(), types: [...types].sort() };
}

/** What a person or an agent said, or how much was done in between. */
export type ConversationEntry =
	| { kind: 'said'; key: string; row: Row; by: 'person' | 'agent' }
	| { kind: 'work'; key: string; calls: number; failed: number; denied: number; first: Row; names: readonly string[] };

const SAID: ReadonlyMap<string, 'person' | 'agent'> = new Map([
	['prompt:submit', 'person'],
	['message:show', 'agent'],
	['agent:complete', 'agent'],
	['supervisor:verdict', 'agent'],
]);

const NO_CALLS = { calls: 0, failed: 0, denied: 0, names: [] } as const;

/** A story as a conversation: prompts, messages, reports and verdicts, with counts of calls in between. */
export function conversationOf(rows: readonly Row[]): ConversationEntry[] {
	const entries: ConversationEntry[] = [];
	for (const row of rows) {
		const by = SAID.get(row.type);
		const last = entries.at(-1);
		if (by !== undefined && row.title !== '') entries.push({ kind: 'said', key: row.key, row, by });
		else if (row.call) {
			const noCalls = { kind: 'work', key: `work:${row.key}`, first: row, ...NO_CALLS } as const;
			if (last?.kind === 'work') entries.pop();
			entries.push(workAfter(last?.kind === 'work' ? last : noCalls, row.call));
		}
	}
	return entries;
}

function workAfter(work: Extract<ConversationEntry, { kind: 'work' }>, call: CallView): ConversationEntry {
	const outcome = outcomeOf(call);
	return {
		...work,
		calls: work.calls + 1,
		names: [...new Set([...work.names, requestedAgentOf(call)?.replace(/^/, '→ ') ?? call.tool])],
		failed: work.failed + (outcome === 'failed' ? 1 : 0),
		denied: work.denied + (outcome === 'stopped' ? 1 : 0),
	};
}
