import type { AgentHook, HookAt, HookPoint, HookRead, Moment } from '#lib/agents/agent-hook.ts';
import { type AgentRow, hookPointsOf } from '#lib/agents/agent-table.ts';
import { deedReader } from '#lib/agents/read-deed.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { isJson, type Json, textOf } from '#lib/json/json.ts';
import type { AgentAdapter, Transcripts } from './agent-adapter.ts';
import { type CallReaders, parseInput, readHead, readMoment } from './read-hook.ts';

/** A client as far as it differs from the field names and answers that most clients share. */
interface Dialect {
	row: AgentRow;
	shapes: Shapes;
	/** Fields of its hooks that are in every event's envelope. */
	inEnvelope: readonly string[];
	transcripts?: Transcripts;
	/** Maps a hook to the shared field names; absent if the client uses them. */
	share?(raw: Json): Json;
	/** Corrects what the shared reader gets wrong for this client; null if it is right. */
	differ?(fields: Json, point: HookPoint): Moment | null;
	startedAgent?: CallReaders['startedAgent'];
}

/** The adapter of any client but the first. */
export function sharedAdapter(dialect: Dialect): AgentAdapter {
	const { row, shapes, inEnvelope, transcripts } = dialect;
	const readCall = deedReader(row);
	return {
		read: hookReader(dialect, readCall),
		readCall,
		restOf: (raw) => Object.fromEntries(Object.entries(raw).filter(([key]) => !inEnvelope.includes(key))),
		runInput: (_tool, input) => input,
		print: printer(shapes),
		// Silence lets a call pass in every client.
		printUnjudged: (profile, reason) => (profile === 'closed' ? shapes.denied(`Signalbox: ${reason}`) : null),
		readPrinted,
		...(transcripts && { transcripts }),
	};
}

/** Gives the function that reads one hook input of a client, text or object. Total. */
function hookReader(
	{ row, share, differ, startedAgent }: Dialect,
	readCall: CallReaders['readCall'],
): (raw: unknown) => HookRead {
	const points = hookPointsOf(row);
	return (raw) => {
		const parsed = parseInput(raw);
		if (!parsed.ok) return parsed;
		const fields = share ? share(parsed.fields) : parsed.fields;
		const name = textOf(fields.hook_event_name, 128) ?? 'unnamed';
		const point = points.get(name) ?? 'other';
		const head = { ...readHead(row.name, name, fields, parsed.warning), raw: parsed.fields };
		const hook: AgentHook = {
			...head,
			...(differ?.(fields, point) ?? readMoment(point, fields, { readCall, startedAgent })),
		};
		return { ok: true, hook };
	};
}

/** Some clients ignore a denial without a reason. */
const NO_REASON = 'Signalbox denies this call.';

/** A denial's words for the model, never empty. */
export function reasonOf({ reason, message }: HookDecision): string {
	return reason || message || NO_REASON;
}

/** Whether a decision says no to a client that can put no question to its person, or would hang over one. */
export function isNo({ decision }: HookDecision): boolean {
	return decision === 'deny' || decision === 'ask';
}

/** How one client says what was decided at each point where it listens. */
export interface Shapes {
	call(decision: HookDecision, hook: HookAt<'call'>): Json | null;
	permission?(decision: HookDecision): Json | null;
	/** Makes the agent continue instead of ending a prompt, turn or agent; `name` is the client's name of the event. */
	block?(reason: string, name: string): Json | null;
	/** Text that the model reads beside an event; only for events that accept it. */
	context?(context: string, name: string): Json | null;
	/** The points that accept context. */
	listens: readonly AgentHook['at'][];
	/** A denied call, for the profile that denies what cannot be judged. */
	denied(reason: string): Json;
}

/** Returns a client's `print`: one object for a decision at a hook, or null for none. Only keys that the client knows. */
function printer(shapes: Shapes): (decision: HookDecision | null, hook: AgentHook) => Json | null {
	return (answer, hook) => {
		if (answer === null) return null;
		if (hook.at === 'call') return shapes.call(answer, hook);
		if (hook.at === 'permission') return shapes.permission?.(answer) ?? null;
		if (answer.decision === 'deny') return shapes.block?.(reasonOf(answer), hook.name) ?? null;
		const { context } = answer;
		return context === undefined || !shapes.listens.includes(hook.at)
			? null
			: (shapes.context?.(context, hook.name) ?? null);
	};
}

/** The way back, for all clients but the first: whether what was printed lets the call run. Total. */
function readPrinted(output: Json): HookDecision {
	const specific = isJson(output.hookSpecificOutput) ? output.hookSpecificOutput : output;
	const printed = specific.permissionDecision ?? output.permission ?? output.decision;
	const reason = textOf(specific.permissionDecisionReason ?? output.agent_message ?? output.reason, 64 * 1024);
	const decision = printed === 'deny' || printed === 'block' ? 'deny' : printed === 'ask' ? 'ask' : 'pass';
	return { decision, ...(reason !== undefined && { reason }) };
}
