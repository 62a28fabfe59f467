import { type CallView, isOverridden, outcomeOf } from '../session/call.ts';
import type { Row } from '../session/row.ts';
import { countIn, type StoryBranch, type StoryNode, storyTree } from './story-tree.ts';

/** What the story shows on one line: a row, like calls folded into one, or a stage or agent that holds what follows. */
export type StoryItem =
	| { kind: 'row'; key: string; depth: number; row: Row; open: boolean }
	| { kind: 'fold'; key: string; depth: number; rows: readonly Row[]; open: boolean }
	| (Pick<StoryBranch, 'of' | 'key' | 'rows' | 'stage' | 'agentIds'> & {
			kind: 'branch';
			depth: number;
			open: boolean;
			/** Below it. */
			calls: number;
			/** Below it and its own. */
			allAgentIds: readonly string[];
	  });

/** How a story is read: as a tree of stages, agents and calls, or row by row. */
export type StoryReading = 'tree' | 'flat';

/** Fewer like calls than this stay apart. */
const FOLD_FROM = 3;

/**
 * The lines of a story. Neighbouring plain calls of one actor with one tool fold ("Read x14"). `toggled` holds the keys of
 * lines that are not as they begin: folds and changes closed, branches open. A line that says the same as in `earlier` is
 * the same object, so that nothing is drawn anew for it.
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
	for (const item of linesOf(nodes, 0, toggled)) {
		const same = before.get(item.key);
		items.push(same && isSame(same, item) ? same : item);
	}
	return items;
}

function* linesOf(list: readonly StoryNode[], depth: number, toggled: ReadonlySet<string>): Generator<StoryItem> {
	for (let at = 0; at < list.length; ) {
		const node = list[at];
		if (node?.kind === 'branch') {
			const item = branchItem(node, depth, !toggled.has(node.key));
			yield item;
			if (item.open) yield* linesOf(node.children, depth + 1, toggled);
			at++;
			continue;
		}
		const run = runFrom(list, at);
		at += run.length;
		yield* runItems(run, depth, toggled);
	}
}

function branchItem({ kind, of, key, rows, stage, agentIds, ...node }: StoryBranch, depth: number, open: boolean) {
	const { calls, agentIds: allAgentIds } = countIn({ kind, of, key, rows, agentIds, ...node });
	return { kind, of, key, rows, agentIds, allAgentIds, depth, open, calls, ...(stage !== undefined && { stage }) };
}

/** Rows that stand apart, or the fold that holds them. */
function runItems(run: readonly Row[], depth: number, toggled: ReadonlySet<string>): StoryItem[] {
	const [first] = run;
	const isFold = first !== undefined && run.length >= FOLD_FROM;
	const fold = `fold:${first?.key}`;
	const open = toggled.has(fold);
	const rowItem = (row: Row): StoryItem => ({
		...{ kind: 'row', key: row.key, row, open: toggled.has(row.key) },
		depth: isFold ? depth + 1 : depth,
	});
	if (!isFold) return run.map(rowItem);
	return [{ kind: 'fold', key: fold, depth, rows: run, open }, ...(open ? run.map(rowItem) : [])];
}

/** The rows that a line stands for, those below it left out. */
export const rowsOfItem = (item: StoryItem): readonly Row[] => (item.kind === 'row' ? [item.row] : item.rows);

/** The call that a line is about: its own, or the one that started its agent. */
export const callOfItem = (item: StoryItem): CallView | undefined =>
	item.kind === 'fold' ? undefined : rowsOfItem(item).find(({ call }) => call)?.call;

/** Whether a line opens: what lies below it, or its change. */
export const isOpenable = (item: StoryItem): boolean => item.kind !== 'row' || item.row.call?.edit !== undefined;

/** The row that a line leads to: of a branch what tells most, the call or report of its agent, else its end. */
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
	one.length === other.length && one.every((each, at) => each === other[at]);

/** The run of like calls that begins at a leaf; at least its row. */
function runFrom(list: readonly StoryNode[], from: number): Row[] {
	const first = list[from];
	if (first?.kind !== 'leaf') return [];
	const run = [first.row];
	if (!isPlain(first.row)) return run;
	for (let next = list[from + 1]; next?.kind === 'leaf'; next = list[from + run.length]) {
		if (!isPlain(next.row) || !isLike(first.row, next.row)) break;
		run.push(next.row);
	}
	return run;
}

const isLike = (a: Row, b: Row) => a.call?.tool === b.call?.tool && a.agentId === b.agentId;

/** Whether nothing about the call needs eyes: it ran, nobody objected, nobody was asked, and it changed nothing. */
function isPlain(row: Row): boolean {
	const { call } = row;
	if (!call || call.agentName || call.approval || call.mismatch || row.unverified) return false;
	if (isOverridden(call) || call.verdicts.some((verdict) => verdict.decision !== 'pass')) return false;
	return outcomeOf(call) === 'ran';
}
