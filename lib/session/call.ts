import { readPatch } from '../agents/file-edits.ts';
import { callKind } from '../agents/recorded-event.ts';
import { SHELL_TOOL } from '../commands/shell-settings.ts';
import type { Tone } from '../contract/events/event-labels.ts';
import type { ApprovalView, CallAlarm, CallOutcome, CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Plain } from '../messages/say.ts';
import { fieldText, oneLine } from '../text/printable.ts';
import { msBetween } from '../time/duration.ts';

/** Whether a reviewer is working now. A person may decide, but the call does not wait for one. */
export function isReviewing({ review, state }: Pick<ApprovalView, 'review' | 'state'>): boolean {
	return state === 'waiting' && review !== undefined && !review.isOver;
}

/** From the agent that really started, else from the mismatch, else from the call's input. */
export function requestedAgentOf({ agentName, mismatch, askedAgent }: CallView): string | undefined {
	return agentName ?? mismatch?.actual ?? askedAgent;
}

/** A denial that a person or a grant has overridden does not count. */
export function isDenied(call: CallView): boolean {
	return call.verdicts.some((verdict) => verdict.decision === 'deny') && !isOverridden(call);
}

export function wasStopped(call: CallView): boolean {
	return outcomeOf(call) === 'stopped';
}

/** A person let the denied call run, and no gate denied it again. */
export function isOverridden(call: CallView): boolean {
	if (call.grant) return true;
	const { approval } = call;
	// A permission prompt of the client is answered, not overridden.
	if (approval?.isPrompt) return false;
	if (!approval || approval.standing || approval.unverified || (approval.review && !approval.review.isOver))
		return false;
	return approval.state === 'approved' || approval.state === 'answered';
}

/** Whether the call has returned while the agent that it started still works. */
export function isBehind(call: CallView): boolean {
	return Boolean(call.background && call.startedAgentId && !call.agentEnd && !call.closed);
}

/** A call that waited for its agent is over when it returns, however often that agent is woken later. */
export function isAgentLast({ background, endedAt }: CallView): boolean {
	return background === true || endedAt === undefined;
}

/** The outcome of the call. Evidence of a run overrides every verdict. */
export function outcomeOf(call: CallView): CallOutcome {
	if (call.evidence) return isBehind(call) ? 'running' : call.evidence;
	if (call.approval?.state === 'waiting' && !isReviewing(call.approval) && !call.closed) return 'waiting';
	if (isDenied(call) || (call.approval?.isPrompt && call.approval.state === 'denied')) return 'stopped';
	if (call.closed?.why === 'client-denied') return 'stopped';
	return call.closed ? 'unknown' : 'running';
}

export function deniedButRan(call: CallView): boolean {
	return isDenied(call) && call.evidence !== undefined && !call.interrupted;
}

function ranOtherInput(call: CallView): boolean {
	const { ranDigest, judged, grant, approval } = call;
	if (ranDigest === undefined) return false;
	if (grant) return grant.inputDigest !== ranDigest;
	const changed = approval?.changedDigest;
	if (isOverridden(call)) return (changed ?? approval?.askedDigest ?? ranDigest) !== ranDigest;
	if (changed !== undefined && approval?.state === 'approved') return changed !== ranDigest;
	// An unjudged call has an alarm of its own.
	return judged !== undefined && !judged.includes(ranDigest);
}

/** The worst thing that went otherwise than decided; undefined if all went well. */
export function alarmOf(call: CallView): CallAlarm | undefined {
	if (deniedButRan(call)) return 'denied-but-ran';
	if (ranOtherInput(call)) return 'other-input-ran';
	// The hook before the call never came: it was killed, switched off or missing.
	if (call.evidence && call.calledAt === undefined) return 'ran-unjudged';
	if (isOverridden(call) && !call.evidence && call.closed) return 'allowed-never-ran';
	return undefined;
}

/** A colour is never the only sign. */
export const outcomeLooks = {
	running: { word: 'running', tone: 'run' },
	waiting: { word: 'waiting for you', tone: 'wait' },
	ran: { word: 'ran', tone: 'ok' },
	failed: { word: 'failed', tone: 'err' },
	stopped: { word: 'denied', tone: 'err' },
	unknown: { word: 'outcome unknown', tone: 'warn' },
} as const satisfies Record<CallOutcome, { word: Plain; tone: Tone }>;

const stoppedLook = { word: 'stopped by a person', tone: 'warn' } as const satisfies { word: Plain; tone: Tone };

/** A failure that a person caused by interrupting looks like a stop. */
export function outcomeLook(call: CallView) {
	const outcome = outcomeOf(call);
	return outcome === 'failed' && call.interrupted ? stoppedLook : outcomeLooks[outcome];
}

/** The reason of a question that ended while no server ran: its real end is unknown. */
export const SERVER_RESTARTED = 'the server restarted';

/** How long a call waited for a person. */
export interface Hold {
	from: string;
	/** ISO; the earliest instant at which it was certainly over. */
	to: string;
	ms: number;
	/** It may have ended before `to`. */
	isAtMost: boolean;
}

/** Undefined while it waits, and for calls that never did. */
export function holdOf({ approval, closed, endedAt }: CallView): Hold | undefined {
	if (!approval?.decidedAt) return undefined;
	const { requestedAt, decidedAt, state, reason } = approval;
	const isAtMost = state === 'abandoned' && reason === SERVER_RESTARTED;
	const ends = isAtMost ? [decidedAt, closed?.at, endedAt] : [decidedAt];
	const to = ends.filter((at) => at !== undefined).sort()[0] ?? decidedAt;
	const ms = msBetween(requestedAt, to);
	return requestedAt === undefined || ms === undefined ? undefined : { from: requestedAt, to, ms, isAtMost };
}

/** How long the call itself took (ms), with the run of its sub-agent and without its hold. */
export function durationOf(call: CallView): number | undefined {
	const hold = holdOf(call);
	const since = hold && call.calledAt && hold.to > call.calledAt ? hold.to : call.calledAt;
	const whole = isAgentLast(call) ? msBetween(since, call.agentEnd?.at) : undefined;
	if (whole !== undefined) return whole;
	const seen = msBetween(since, call.endedAt);
	if (call.durationMs === undefined) return seen;
	return hold && seen !== undefined ? Math.min(call.durationMs, seen) : call.durationMs;
}

/** Calls that a gate objected to, by gate, the busiest first; a waiting call counts as neither denied nor overridden. */
export function objections(calls: readonly CallView[]) {
	const gates = new Set(calls.flatMap(({ verdicts }) => verdicts.filter(isObjection).map(({ gate }) => gate)));
	return Array.from(gates, (gate) => {
		const stopped = calls.filter(({ verdicts }) => verdicts.some((each) => each.gate === gate && isObjection(each)));
		const denied = stopped.filter(wasStopped).length;
		return { gate, calls: stopped, denied, overridden: stopped.filter(isOverridden).length };
	}).sort((a, b) => b.calls.length - a.calls.length);
}

const isObjection = ({ decision }: CallView['verdicts'][number]) => decision !== 'pass';

/** Whether anything more can be recorded of it. */
export function isCallOpen(call: CallView): boolean {
	if (call.closed) return false;
	if (call.evidence) return isBehind(call);
	return call.approval?.state === 'waiting' || !isSettledDenial(call);
}

/** A denial that is not held: the client will not run the call and reports nothing more. */
function isSettledDenial(call: CallView): boolean {
	const { approval } = call;
	if (approval?.isPrompt && approval.state === 'denied') return true;
	const denied = call.verdicts.some((verdict) => verdict.decision === 'deny');
	return denied && !call.grant && !['waiting', 'approved', 'answered'].includes(approval?.state ?? '');
}

/** A view's parts are lists, not records: copying one is a block copy, while new keys cost the engine a hidden class each. */
export function find<K extends string, T extends Record<K, string>>(
	list: readonly T[],
	key: K,
	id: string | undefined,
) {
	for (let index = list.length - 1; index >= 0; index--) if (list[index]?.[key] === id) return list[index];
	return undefined;
}

/** `find` for calls: reading a named field is several times as fast. */
export function findCall<T extends { toolUseId: string }>(calls: readonly T[], toolUseId: string): T | undefined {
	for (let index = calls.length - 1; index >= 0; index--)
		if (calls[index]?.toolUseId === toolUseId) return calls[index];
	return undefined;
}

/** A total order, so that the result does not depend on arrival. */
export const isLater = (a: { ts: string; id: string }, b: { ts: string; id: string }) =>
	a.ts > b.ts || (a.ts === b.ts && a.id > b.id);

/** The field of a tool's input that best describes what a call does. */
const titleFields: Readonly<Record<string, readonly string[]>> = {
	Bash: ['command'],
	[SHELL_TOOL]: ['command'],
	Read: ['file_path'],
	Write: ['file_path'],
	Edit: ['file_path'],
	NotebookEdit: ['notebook_path'],
	Glob: ['pattern'],
	Grep: ['pattern'],
	WebFetch: ['url'],
	WebSearch: ['query'],
	Agent: ['description', 'prompt'],
	Task: ['description', 'prompt'],
	Skill: ['skill', 'command'],
	TaskCreate: ['subject'],
	ExitPlanMode: ['plan'],
	SendMessage: ['summary', 'message'],
};

/** What the call does, in one line of agent text: its command, file or question. */
export function callTitle(tool: string, input: unknown): string {
	if (typeof input !== 'object' || input === null || 'blob' in input) return oneLine(fieldText(input));
	const fields = input as Record<string, unknown>;
	const does = callKind({ tool });
	if (does === 'ask-person' && Array.isArray(fields.questions)) {
		const first: unknown = fields.questions[0];
		if (typeof first === 'object' && first !== null && 'question' in first) return oneLine(fieldText(first.question));
	}
	if (does === 'update-todos' && Array.isArray(fields.todos)) return `${fields.todos.length} todos`;
	if (tool === 'Stop') return oneLine(fieldText(fields.said));
	const name = (Object.hasOwn(titleFields, tool) ? titleFields[tool] : undefined)?.find(
		(field) => fieldText(fields[field]) !== '',
	);
	if (name) return oneLine(fieldText(fields[name]));
	const patched = Object.values(fields).flatMap((text) =>
		typeof text === 'string' && text.startsWith('*** Begin Patch') ? readPatch(text) : [],
	);
	if (patched.length > 0) return oneLine(patched.map(({ path }) => path).join(', '));
	return Object.keys(fields).length === 0 ? '' : oneLine(fieldText(input));
}

const changedFields = ['command', 'file_path', 'notebook_path', 'description', 'pattern', 'url', 'query'];

/** A person's changed input of a call, in one line; its tool may not be known yet. */
export function changedTitle(input: Readonly<Record<string, unknown>>): string {
	const agent = fieldText(input.subagent_type);
	const name = changedFields.find((field) => fieldText(input[field]) !== '');
	const what = name === undefined ? fieldText(input) : fieldText(input[name]);
	return oneLine(agent === '' ? what : `→ ${agent} ${what}`);
}
