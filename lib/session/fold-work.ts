import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { FileWork, SessionView, WorkView } from '../contract/sessions/read-model/session-view.ts';
import { durationOf, holdOf, isOverridden, wasStopped } from './call.ts';

/** Names are agent text: however many there are, a view stays small. */
const MOST = { tools: 30, files: 200, waits: 5 } as const;

const NOTHING: WorkView = { tools: [], files: [], moreFiles: 0, waits: [] };

export function foldWork(
	work: WorkView | undefined,
	before: CallView | undefined,
	after: CallView,
): WorkView | undefined {
	const isSame =
		before?.evidence === after.evidence &&
		before?.durationMs === after.durationMs &&
		before?.agentEnd === after.agentEnd &&
		before?.edit === after.edit &&
		before?.approval?.decidedAt === after.approval?.decidedAt;
	if (isSame) return work;
	const start = work ?? NOTHING;
	return {
		...withFile(start, before, after),
		tools: withTool(start.tools, before, after),
		waits: withWait(start.waits, before, after),
	};
}

const hasTried = (call: CallView | undefined): boolean => call?.evidence !== undefined;
const hasRun = (call: CallView | undefined): boolean => call?.evidence === 'ran';

function withTool(tools: WorkView['tools'], before: CallView | undefined, after: CallView): WorkView['tools'] {
	const calls = Number(hasTried(after)) - Number(hasTried(before));
	const timeOf = (call: CallView | undefined) => (call && hasTried(call) ? (durationOf(call) ?? 0) : 0);
	const ms = timeOf(after) - timeOf(before);
	if (calls === 0 && ms === 0) return tools;
	const known = tools.find(({ name }) => name === after.tool);
	if (!known && tools.length >= MOST.tools) return tools;
	const others = tools.filter((one) => one !== known);
	const sum = { name: after.tool, calls: (known?.calls ?? 0) + calls, ms: (known?.ms ?? 0) + ms };
	return [...others, sum].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A later outcome of a call takes back what the first one added. */
function withFile(work: WorkView, before: CallView | undefined, after: CallView): WorkView {
	const [was, is] = [hasRun(before) ? before?.edit : undefined, hasRun(after) ? after.edit : undefined];
	const edit = is ?? was;
	const by = Number(is !== undefined) - Number(was !== undefined);
	if (!edit || by === 0) return work;
	const known = work.files.find(({ path }) => path === edit.path);
	if (!known && work.files.length >= MOST.files) return { ...work, moreFiles: work.moreFiles + by };
	const file: FileWork = {
		path: edit.path,
		edits: (known?.edits ?? 0) + by,
		added: (known?.added ?? 0) + by * edit.added,
		removed: (known?.removed ?? 0) + by * edit.removed,
		...((known?.isMore || edit.isMore) && { isMore: true }),
	};
	const files = [...work.files.filter((one) => one !== known), ...(file.edits > 0 ? [file] : [])];
	return { ...work, files: files.sort((one, other) => (one.path < other.path ? -1 : 1)) };
}

function withWait(waits: WorkView['waits'], before: CallView | undefined, after: CallView): WorkView['waits'] {
	const hold = holdOf(after);
	if (!hold || before?.approval?.decidedAt === after.approval?.decidedAt) return waits;
	const wait = { row: `call:${after.toolUseId}`, title: `${after.tool} ${after.title}`, at: hold.from, ms: hold.ms };
	const all = [...waits.filter(({ row }) => row !== wait.row), wait];
	return all.sort((one, other) => other.ms - one.ms || (one.row < other.row ? -1 : 1)).slice(0, MOST.waits);
}

type Rules = SessionView['rules'];

/** Rule names come from timelines, so they are bounded. */
const MAX_RULES = 100;
const MAX_NAME = 100;

/** Counts the rules that kept a call from running, by difference, so that a repeated event never counts twice. */
export function countCallRules(rules: Rules, before: CallView | undefined, after: CallView): Rules {
	const was = callStatus(before);
	const is = callStatus(after);
	if (before?.verdicts === after.verdicts && was.stopped === is.stopped && was.overridden === is.overridden)
		return rules;
	const known = deniedBy(before);
	let counted = rules;
	for (const rule of deniedBy(after)) {
		const had = known.has(rule);
		const denied = Number(is.stopped) - Number(had && was.stopped);
		const overridden = Number(is.overridden) - Number(had && was.overridden);
		if (denied !== 0 || overridden !== 0) counted = addTo(counted, rule, denied, overridden);
	}
	return counted;
}

function callStatus(call: CallView | undefined): { stopped: boolean; overridden: boolean } {
	return { stopped: call !== undefined && wasStopped(call), overridden: call !== undefined && isOverridden(call) };
}

export function countRule(rules: Rules, rule: string): Rules {
	return addTo(rules, rule, 1, 0);
}

function deniedBy(call: CallView | undefined): Set<string> {
	const denials = call?.verdicts.filter(({ decision }) => decision === 'deny') ?? [];
	return new Set(denials.map(({ rule }) => rule));
}

function addTo(rules: Rules = {}, rule: string, denied: number, overridden: number): Rules {
	const known = Object.hasOwn(rules, rule) ? rules[rule] : undefined;
	const isNew = known === undefined;
	if (isNew && (rule === '__proto__' || rule.length > MAX_NAME || Object.keys(rules).length >= MAX_RULES)) return rules;
	const before = known ?? { denied: 0, overridden: 0 };
	return { ...rules, [rule]: { denied: before.denied + denied, overridden: before.overridden + overridden } };
}
