import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { BlobRef, DraftEvent } from '#lib/contract/events/event.ts';
import { labelOf, typeFields } from '#lib/contract/events/event-labels.ts';
import { joinDecisions } from '#lib/gates/gate.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { isJson } from '#lib/json/json.ts';
import { printable } from '#lib/text/printable.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { DeniedCall, WantedAssessment } from '../ports/denied-call.ts';
import type { HookAnswer } from '../ports/hook-answer.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { HookRequest, Ports, ReadPorts, SealedEvent } from '../ports/ports.ts';
import { contentId, eventId } from './draft-events.ts';
import { type Effect, performEffects } from './perform-effects.ts';

/** The result of judging a hook, before anything is done: its answer, its events and its effects. */
export interface Ruling {
	/** Null prints nothing. */
	decision: HookDecision | null;
	/** Appended to the session's timeline before anything else. */
	events: readonly DraftEvent[];
	/** Performed in order once the events are recorded; otherwise none is. */
	effects: readonly Effect[];
	/** A gate judged a call: its verdict remains even if nothing can be written. */
	isJudged?: true;
	/** Why nothing could be judged: the profile answers instead. */
	unjudged?: string;
	held?: DeniedCall;
	assess?: WantedAssessment;
}

/** A ruling that only records events. */
export function eventsOnly(events: readonly DraftEvent[]): Ruling {
	return { decision: null, events, effects: [] };
}

/** One ruling of two: the second's events and effects come after the first's. */
export function joinRulings(one: Ruling, other: Ruling): Ruling {
	return {
		...one,
		...other,
		decision: joinDecisions(one.decision, other.decision),
		events: [...one.events, ...other.events],
		effects: [...one.effects, ...other.effects],
	};
}

/** Fills in the envelope of a run's events and makes each fit a line. Large values are written as blobs here. */
export function seal(
	drafts: readonly DraftEvent[],
	hook: AgentHook,
	run: HookRun,
	ports: Ports,
	scope?: string,
): SealedEvent[] {
	const ts = new Date(ports.now()).toISOString();
	const seen = new Map<string, number>();
	return drafts.map((draft) => {
		const { id, type, agentId, toolUseId, ...fields } = draft;
		// Counted by type: a plan that only the first of two runs records must not shift the others' ids.
		const ordinal = seen.get(type) ?? 0;
		seen.set(type, ordinal + 1);
		return fitEvent(
			{
				id: id ?? eventId(hook, run, ports, type, ordinal, scope),
				ts,
				...typeFields(type),
				sessionId: hook.sessionId,
				agentId: agentId ?? hook.agentId,
				toolUseId: toolUseId ?? hook.toolUseId,
				requestId: run.requestId,
				...fields,
			},
			ports,
		);
	});
}

interface EffectResult {
	/** The answer, with what the effects add for the agent. */
	decision: HookDecision | null;
	/** Why one of them failed, as one line for stderr. */
	problem?: string;
}

/** Appends a ruling's events, and only then performs its effects. Throws if nothing can be appended; then nothing is performed. */
export function commitRuling(
	request: HookRequest,
	{ events, effects }: Pick<Ruling, 'events' | 'effects'>,
	scope?: string,
): EffectResult {
	recordEvents(request, events, { scope });
	return perform(request, effects);
}

interface RecordOptions {
	/** Separates later events of the same run. */
	scope?: string;
	/** The hook does nothing else: its lines may be written together with those of other hooks. */
	later?: boolean;
}

/** Appends the events of a hook to its session's timeline. */
export function recordEvents(
	{ hook, run, ports }: HookRequest,
	events: readonly DraftEvent[],
	{ scope, later }: RecordOptions = {},
): void {
	const append = (later && ports.appendLater) || ports.append;
	if (events.length > 0) append(hook.sessionId, seal(events, hook, run, ports, scope));
}

/** Performs the effects of a recorded ruling, and records their results. */
export function perform(request: HookRequest, effects: readonly Effect[]): EffectResult {
	if (effects.length === 0) return { decision: null };
	const { hook, run, ports } = request;
	const { events, decision, failure } = performEffects(effects, request);
	recordEvents(request, events, { scope: 'effects' });
	if (failure === undefined) return { decision };
	const { problem } = reportFailure(failure, hook, run, ports);
	return { decision, ...(problem !== undefined && { problem }) };
}

/** The same limit as the contract's MAX_EVENT_BYTES, which cannot be imported here, since its file loads zod. */
const MAX_LINE_BYTES = 64 * 1024;
const PREVIEW_CHARS = 1000;
/** Below this, moving a value to a blob would not make the line shorter. */
const WORTH_MOVING = 4 * PREVIEW_CHARS;

/** Fields whose schema accepts any JSON, so that a reference can replace the value. */
const MOVABLE: Readonly<Record<string, string>> = {
	'tool:call': 'input',
	'tool:result': 'response',
	'tool:error': 'error',
	'prompt:submit': 'prompt',
	'message:show': 'text',
	'agent:complete': 'message',
	'hook:event': 'fields',
	'gate:verdict': 'facts',
	'approval:request': 'input',
};

/**
 * Makes an event fit one line by moving the largest parts to blobs: entries of the movable field first (so that a file's path
 * stays readable), then the field, then the whole event.
 */
export function fitEvent(event: SealedEvent, ports: Ports): SealedEvent {
	if (fits(event)) return event;
	const move = (value: unknown): BlobRef => blobOf(event.sessionId, value, ports);
	const name = MOVABLE[event.type];
	if (name !== undefined) {
		const value = event[name];
		if (isJson(value)) {
			const slim = moveLargest(event, name, value, move);
			if (slim) return slim;
		}
		const moved = { ...event, [name]: move(value) };
		if (fits(moved)) return moved;
	}
	const { id, ts, sessionId, requestId } = event;
	const type = 'hook:event';
	const envelope = { id, ts, type, category: 'hook', label: labelOf(type).en, sessionId, requestId };
	return { ...envelope, name: event.type, fields: move(event) };
}

function fits(event: SealedEvent): boolean {
	const json = eventLine(event);
	return json.length * 3 < MAX_LINE_BYTES || Buffer.byteLength(json) < MAX_LINE_BYTES - 2;
}

function moveLargest(
	event: SealedEvent,
	name: string,
	value: Record<string, unknown>,
	move: (value: unknown) => BlobRef,
): SealedEvent | null {
	const sizes = Object.entries(value)
		.map(([key, item]) => ({ key, item, size: JSON.stringify(item)?.length ?? 0 }))
		.filter(({ size }) => size > WORTH_MOVING)
		.sort((a, b) => b.size - a.size);
	const moved = new Map<string, unknown>();
	for (const { key, item } of sizes) {
		moved.set(key, move(item));
		const entries = Object.entries(value).map(([at, old]) => [at, moved.get(at) ?? old] as const);
		const slim = { ...event, [name]: Object.fromEntries(entries) };
		if (fits(slim)) return slim;
	}
	return null;
}

function blobOf(sessionId: string, value: unknown, ports: Ports): BlobRef {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return {
		blob: ports.writeBlob(sessionId, text),
		bytes: Buffer.byteLength(text),
		preview: text.slice(0, PREVIEW_CHARS),
	};
}

/** Sealed events never change, so that the size check and the append can share one text. */
const lines = new WeakMap<SealedEvent, string>();

/** The JSON of a sealed event, as in a timeline. */
export function eventLine(event: SealedEvent): string {
	const known = lines.get(event);
	if (known !== undefined) return known;
	const line = JSON.stringify(event);
	lines.set(event, line);
	return line;
}

/** Fields in which two runs of one call may differ: time, actor, duration, who was first. */
const OF_THE_RUN: readonly string[] = ['id', 'ts', 'requestId', 'durationMs', 'cwd', 'project', 'make'];
/** What happened to a call and how it was judged: a line of another origin must not replace it. */
const TESTIMONY = /^(?:tool|gate):/;

/**
 * The events that the timeline lacks. Anybody can compute ids of a call's events, so a line with such an id counts only if its
 * content is the same; otherwise the event gets another id.
 */
export function findNew(
	events: readonly SealedEvent[],
	hook: AgentHook,
	run: HookRun,
	readPorts: ReadPorts,
): readonly SealedEvent[] {
	const ids = events.map(({ id }) => id);
	const found = new Map<unknown, Record<string, unknown>[]>();
	for (const line of readPorts.lines(hook.sessionId, ids)) found.set(line.id, [...(found.get(line.id) ?? []), line]);
	return events.flatMap((event): SealedEvent[] => {
		const there = found.get(event.id);
		if (!there) return [event];
		if (!hook.toolUseId || !TESTIMONY.test(event.type)) return [];
		const text = contentOf(event);
		// Readers use the first line of an id.
		if (there[0] && contentOf(there[0]) === text) return [];
		const id = contentId(readPorts, ['again', event.id, run.requestId, text]);
		return readPorts.lines(hook.sessionId, [id]).length > 0 ? [] : [{ ...event, id }];
	});
}

function contentOf(event: Readonly<Record<string, unknown>>): string {
	const fields = Object.entries(event).filter(([name, value]) => !OF_THE_RUN.includes(name) && value !== undefined);
	return JSON.stringify(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The supervisor's message for an input that it cannot read, in the words of seed 004: it ends with exit code 2. */
export function unparsedInput(reason: string): string {
	return `Signalbox: failed to parse hook input: ${reason}.`;
}

/** How much of an invalid hook input is stored for a person to read. */
const STORED_CHARS = 1024 * 1024;

/**
 * Answers an input that cannot be judged, by the profile; under `supervisor` with a refusal (exit 2). Its text becomes a blob of
 * `_home`, named by a `system:warning`.
 */
export function refuseInput(raw: unknown, reason: string, run: HookRun, ports: Ports): HookAnswer {
	const say = `${reason}; this call was not judged.`;
	attempt(() => {
		const text = (typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? '')).slice(0, STORED_CHARS);
		const kept = text === '' ? '' : ` What came is kept in blobs/${ports.writeBlob(HOME_SESSION, text)}.`;
		warn(homeHook(run), run, ports, 'hook/bad-input', `${reason}.${kept}`);
	});
	return {
		sessionId: HOME_SESSION,
		keys: [run.requestId],
		output: adapterOf(run.agent).printUnjudged(run.profile, say),
		problem: problemLine('', say),
		...(run.profile === 'supervisor' && { refusal: unparsedInput(reason) }),
	};
}

/** Answers a failure on our side: the profile's answer, and a warning if it can still be written. */
export function reportFailure(error: unknown, hook: AgentHook, run: HookRun, ports: Ports): HookAnswer {
	const reason = failureWords(error);
	const isRecorded = attempt(() => warn(hook, run, ports, 'hook/failed', reason));
	if (!isRecorded) attempt(() => warn(homeHook(run), run, ports, 'hook/failed', reason));
	const output = adapterOf(run.agent).printUnjudged(run.profile, reason);
	return { sessionId: hook.sessionId, keys: [run.requestId], output, problem: problemLine(hook.name, reason) };
}

/**
 * The answer if lines could not be written afterwards (`Ports.appendLater`): the verdict on a call remains, other hooks get the
 * profile's answer. Nothing is judged again.
 */
export function answerUnwritten(answer: HookAnswer, error: unknown, run: HookRun, ports: Ports): HookAnswer {
	const { sessionId, keys, isJudged, output } = answer;
	const failed = reportFailure(error, { ...homeHook(run), sessionId }, run, ports);
	return { ...failed, keys, ...(isJudged && { output }) };
}

/** A failure on our side, for the person. */
export function failureWords(error: unknown): string {
	const what = printable(error instanceof Error ? error.message : String(error), 300);
	const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
	return `this hook could not be handled (${what}).${isFull ? ' Free some space on the disk.' : ''}`;
}

/** `[overtone/SessionStart] reason`: one form for all hooks; `hook` if the input names no event. */
function problemLine(event: string, reason: string): string {
	return `[overtone/${printable(event, 60) || 'hook'}] ${reason}`;
}

function homeHook({ agent = FIRST_AGENT }: HookRun): AgentHook {
	return { agent, at: 'other', name: '', sessionId: HOME_SESSION, raw: {} };
}

function warn(hook: AgentHook, run: HookRun, ports: Ports, code: string, message: string): void {
	ports.append(hook.sessionId, seal([{ type: 'system:warning', code, message }], hook, run, ports, 'warning'));
}

/** A failure to report a failure must not become another one. */
function attempt(effect: () => void): boolean {
	try {
		effect();
		return true;
	} catch {
		return false;
	}
}
