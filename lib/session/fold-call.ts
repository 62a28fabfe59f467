import { editsOfCall } from '../agents/file-edits.ts';
import { callKind, requestedAgent } from '../agents/recorded-event.ts';
import { SHELL_TOOL } from '../commands/shell-settings.ts';
import type { EventOf } from '../contract/events/event.ts';
import type { CallVerdict, CallView, ClosedWhy } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { FileWork, SessionView, WorkView } from '../contract/sessions/read-model/session-view.ts';
import { isJson } from '../json/json.ts';
import { withoutAnsi } from '../text/ansi.ts';
import { diffLines, diffSize } from '../text/line-diff.ts';
import { fieldText, oneLine } from '../text/printable.ts';
import {
	alarmOf,
	callTitle,
	durationOf,
	holdOf,
	isCallOpen,
	isLater,
	isOverridden,
	outcomeLooks,
	outcomeOf,
	wasStopped,
} from './call.ts';
import { type ApprovalEvent, foldApproval } from './fold-approval.ts';

export type CallEvent =
	| EventOf<'tool:call' | 'tool:result' | 'tool:error' | 'gate:verdict' | 'routing:mismatch'>
	| EventOf<'command:run' | 'command:block'>
	| EventOf<'grant:use' | 'permission:decide'>
	| EventOf<'agent:delegate' | 'agent:start' | 'agent:complete' | 'agent:error'>
	| ApprovalEvent;

export function foldCall(
	before: CallView | undefined,
	toolUseId: string,
	event: CallEvent & { seq: number },
): CallView {
	const start = before ?? { toolUseId, seq: event.seq, at: event.ts, tool: '', title: '', verdicts: [] };
	const call: CallView = event.ts < start.at ? { ...start, at: event.ts } : start;
	switch (event.type) {
		case 'tool:call':
			return foldStart(call, event);
		case 'tool:result':
		case 'tool:error':
			return foldOutcome(call, event);
		case 'gate:verdict':
			return { ...call, verdicts: withVerdict(call.verdicts, event) };
		case 'routing:mismatch':
			return { ...call, mismatch: { planId: event.planId, actual: event.actual, expected: event.expected } };
		case 'command:run':
			return foldOutcome(call, ranCommand(event));
		case 'command:block':
			return call.title === '' ? { ...call, tool: SHELL_TOOL, title: oneLine(event.command) } : call;
		case 'grant:use': {
			const { grantId, scope, reason, by, inputDigest, madeAt, ts: at } = event;
			if (call.grant && call.grant.at <= at) return call;
			return { ...call, grant: { grantId, scope, reason, by, at, inputDigest, ...(madeAt && { madeAt }) } };
		}
		case 'permission:decide':
			return call;
		case 'agent:delegate':
			return { ...call, agentName: event.agent, ...(event.background && { background: true as const }) };
		case 'agent:start':
			return event.agentId === undefined ? call : { ...call, startedAgentId: event.agentId };
		case 'agent:complete':
		case 'agent:error':
			return foldAgentEnd(call, event);
		default:
			return { ...call, approval: foldApproval(call.approval, event) };
	}
}

/** Field by field, since spreading optional parts costs as much as the rest of the fold. */
function foldStart(call: CallView, event: EventOf<'tool:call'>): CallView {
	const started: CallView = { ...call };
	if (event.agentId !== undefined) started.agentId = event.agentId;
	started.tool = event.tool;
	started.title = callTitle(event.tool, event.input);
	started.calledAt = event.ts;
	if (event.inputDigest !== undefined) started.judged = withDigest(call.judged, event.inputDigest);
	const edit = callKind(event) === 'edit-file' ? editSize(event) : undefined;
	if (edit) started.edit = edit;
	const request = requestedAgent(event);
	if (request !== null) started.askedAgent = request;
	return started;
}

function editSize(event: EventOf<'tool:call'>): CallView['edit'] {
	const [edit, ...others] = editsOfCall(event);
	if (!edit) return undefined;
	const sizes = edit.pieces.map(({ from, to }) => diffSize(diffLines(from, to)));
	const sum = (of: 'added' | 'removed') => sizes.reduce((all, size) => all + size[of], 0);
	return {
		path: edit.path,
		added: sum('added'),
		removed: sum('removed'),
		...((edit.isCut || others.length > 0) && { isMore: true }),
	};
}

/** An id may be used again for other inputs; only the first few are stored. */
const MAX_JUDGED = 8;

function withDigest(judged: readonly string[] = [], digest: string): string[] {
	return judged.includes(digest) || judged.length === MAX_JUDGED ? [...judged] : [...judged, digest].sort();
}

function foldOutcome(call: CallView, event: EventOf<'tool:result' | 'tool:error'>): CallView {
	if (call.end && !isLater(event, call.end)) return call;
	const lastLine = lastLineOf(event);
	return {
		...(call.end ? withoutOutcome(call) : call),
		...(call.agentId === undefined && event.agentId !== undefined && { agentId: event.agentId }),
		tool: call.tool || event.tool,
		end: { ts: event.ts, id: event.id },
		endedAt: event.ts,
		...(event.durationMs !== undefined && { durationMs: event.durationMs }),
		...(event.inputDigest !== undefined && { ranDigest: event.inputDigest }),
		...(lastLine !== '' && { lastLine }),
		...(event.type === 'tool:error'
			? {
					evidence: 'failed' as const,
					error: oneLine(withoutAnsi(fieldText(event.error))),
					...(event.interrupt && { interrupted: true as const }),
				}
			: {
					evidence: 'ran' as const,
					...(event.startedAgentId && { startedAgentId: event.startedAgentId }),
					...(event.background && { background: true as const }),
				}),
	};
}

const LAST_LINE_CHARS = 160;
const TAIL_CHARS = 2_000;

function lastLineOf(event: EventOf<'tool:result' | 'tool:error'>): string {
	if (!callKind(event).startsWith('run-')) return '';
	const printed = event.type === 'tool:error' ? event.error : event.response;
	const fields = isJson(printed) ? [printed.stderr, printed.stdout, printed.output] : [printed];
	const text = fields.findLast((one) => typeof one === 'string' && one.trim() !== '');
	if (typeof text !== 'string') return '';
	const lines = withoutAnsi(text.slice(-TAIL_CHARS)).trim().split('\n');
	return oneLine(tapResult(lines) ?? lines.at(-1) ?? '', LAST_LINE_CHARS);
}

/** The counts of a test run whose output ends with a TAP summary, in which the last line is a time. */
function tapResult(lines: readonly string[]): string | undefined {
	const count = (of: string) => lines.findLast((line) => line.startsWith(`# ${of} `))?.slice(of.length + 3);
	const [passed, failed] = [count('pass'), count('fail')];
	if (passed === undefined || failed === undefined) return undefined;
	return failed === '0' ? `${passed} passed` : `${failed} failed, ${passed} passed`;
}

/** A command of the agent shell has an exit code instead of a result or an error. */
function ranCommand(event: EventOf<'command:run'>): EventOf<'tool:result' | 'tool:error'> {
	const { exitCode = 0, command: _command, ...rest } = event;
	if (exitCode === 0) return { ...rest, type: 'tool:result', tool: SHELL_TOOL };
	return { ...rest, type: 'tool:error', tool: SHELL_TOOL, error: `exit code ${exitCode}` };
}

function withoutOutcome(call: CallView): CallView {
	const { error: _e, lastLine: _l, interrupted: _i, durationMs: _d, ranDigest: _r, ...rest } = call;
	return rest;
}

function foldAgentEnd(call: CallView, event: EventOf<'agent:complete' | 'agent:error'>): CallView {
	if (call.agentEnd && call.agentEnd.at >= event.ts) return call;
	return {
		...call,
		agentEnd: {
			at: event.ts,
			...(event.type === 'agent:error' ? { error: oneLine(event.reason) } : event.result && { result: event.result }),
		},
	};
}

/** One verdict a gate, sorted, so that the order of arrival does not matter. */
function withVerdict(verdicts: readonly CallVerdict[], event: EventOf<'gate:verdict'>): CallVerdict[] {
	const verdict: CallVerdict = {
		gate: event.gate,
		decision: event.decision,
		rule: event.rule,
		reason: oneLine(event.reason),
		...(event.durationMs !== undefined && { durationMs: event.durationMs }),
		...(event.form && { form: event.form }),
		// Older lines lack the field; only the supervisor's denials were so.
		...((event.noGrant ?? event.gate === 'supervisor') && { noGrant: true }),
	};
	const sortKey = (item: CallVerdict) => `${item.gate} ${item.rule} ${item.decision} ${item.reason}`;
	const others = verdicts.filter((other) => sortKey(other) !== sortKey(verdict));
	return [...others, verdict].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** The row of the story that shows a call. */
export function callRow(call: CallView): Row {
	const row: Row = {
		key: `call:${call.toolUseId}`,
		seq: call.seq,
		at: call.at,
		type: 'tool:call',
		title: call.title,
		tone: alarmOf(call) ? 'err' : outcomeLooks[outcomeOf(call)].tone,
		shown: true,
		call,
	};
	if (call.agentId !== undefined) row.agentId = call.agentId;
	return row;
}

/** Closes a call without an end of its own; an end that comes later wins. */
export function closeCall(call: CallView, at: string, { why, reason }: { why: ClosedWhy; reason?: string }): CallView {
	return isCallOpen(call) ? { ...call, closed: { at, why, ...(reason && { reason }) } } : call;
}

/** Names are agent text: however many there are, a view stays small. */
const LIMITS = { tools: 30, files: 200, waits: 5 } as const;

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
	if (!known && tools.length >= LIMITS.tools) return tools;
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
	if (!known && work.files.length >= LIMITS.files) return { ...work, moreFiles: work.moreFiles + by };
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
	return all.sort((one, other) => other.ms - one.ms || (one.row < other.row ? -1 : 1)).slice(0, LIMITS.waits);
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
