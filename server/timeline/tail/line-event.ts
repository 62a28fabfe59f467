import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parseEvent, type TimelineEvent } from '#lib/contract/events/event.ts';
import { keyIdOf } from '#lib/ids/safe-id.ts';
import type { Gap } from '#lib/ingest/fold-lines.ts';
import type { JournalStore } from '../store/journal-store.ts';

/** Deeper JSON is refused: writing it again would overflow the stack. */
const MAX_DEPTH = 64;

/** What a line of a timeline is. */
type LineContent =
	| { kind: 'blank' }
	| { kind: 'event'; event: TimelineEvent; unverified: boolean }
	| { kind: 'gap'; reason: string };

export interface LineContext {
	sessionId: string;
	/** Gives a line without an id its own. */
	foreignId: (line: Buffer) => string;
	/** What the journal says of an approval, grant, alarm or note line. */
	proofOf: (line: Readonly<Record<string, unknown>>) => Proof;
}

/** Reads one line. Total: whatever it holds comes back as an event, a gap with its reason, or nothing. */
export function readLine(line: Buffer, context: LineContext): LineContent {
	const text = line.toString('utf8');
	if (text.trim() === '') return { kind: 'blank' };
	const record = parseObject(text);
	if (typeof record === 'string') return { kind: 'gap', reason: record };
	if (record.type === 'system:gap') return { kind: 'gap', reason: 'a gap that was written to the file' };
	if (record.sessionId === undefined) record.sessionId = context.sessionId;
	else if (record.sessionId !== context.sessionId) return { kind: 'gap', reason: 'belongs to another session' };
	if (record.id === undefined) record.id = context.foreignId(line);
	// These are the index's own words; a line may not speak them.
	delete record.seq;
	delete record.unverified;
	const { type } = record;
	const isDecision = typeof type === 'string' && /^(?:approval|grant|alarm|note):/.test(type);
	const proof = isDecision ? context.proofOf(record) : null;
	for (const name of proof?.redacted ?? []) delete record[name];
	nameKeys(record);
	const event = parseEvent(record);
	if (!event) return { kind: 'gap', reason: 'not an event: id, ts, type, category or label is missing or wrong' };
	if (!proof) return { kind: 'event', event, unverified: false };
	// A forged line must not take the id from the true one that comes after it.
	const id = proof.kind === 'forged' ? foreignLineId(context.sessionId, line, 0) : event.id;
	return { kind: 'event', event: { ...event, id }, unverified: proof.kind !== 'proven' };
}

/** Ids of calls and agents become keys, in addresses and in databases; what speaks of one odd id is still of one thing. */
function nameKeys(record: Record<string, unknown>): void {
	for (const [field, kind] of KEYS) {
		const key = keyIdOf(record[field], kind);
		if (key !== undefined) record[field] = key;
	}
}

const KEYS = [
	['toolUseId', 'call'],
	['agentId', 'agent'],
	['startedAgentId', 'agent'],
] as const;

function parseObject(text: string): Record<string, unknown> | string {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return 'not JSON';
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object';
	if (isDeeperThan(value, MAX_DEPTH)) return `nested deeper than ${MAX_DEPTH} levels`;
	return value as Record<string, unknown>;
}

function isDeeperThan(value: object, levels: number): boolean {
	if (levels === 0) return true;
	return Object.values(value).some(
		(inner: unknown) => typeof inner === 'object' && inner !== null && isDeeperThan(inner, levels - 1),
	);
}

/** The id of the n-th (from 0) line of a session with exactly these bytes; survives trimming and copying the rest. */
export function foreignLineId(sessionId: string, line: Buffer, nth: number): string {
	return createHash('sha256').update(`${sessionId}\n${nth}\n`).update(line).digest('hex');
}

/** The gap that an unreadable range is; the same range always has the same id. */
export function gapOf(sessionId: string, range: Omit<Gap, 'id'>): Gap {
	const { offset, bytes, reason } = range;
	const id = createHash('sha256').update(`gap\n${sessionId}\n${offset}\n${bytes}\n${reason}`).digest('hex');
	return { id, ...range };
}

/** What the journal says of a line. */
interface Proof {
	/** `proven` is the very row, `forged` bears a row's id but says something else, `unknown` has no row. */
	kind: 'proven' | 'forged' | 'unknown';
	/** Fields that were taken out of the row: nothing proves them any more, so the line's word for them does not count. */
	redacted: readonly string[];
}

/** Holds approval and grant lines against the journal. A row's id alone proves nothing: it can be read and copied. */
export function proofIn(journal: Pick<JournalStore, 'find'>): (line: Readonly<Record<string, unknown>>) => Proof {
	return (line) => {
		const row = typeof line.id === 'string' ? journal.find(line.id) : undefined;
		if (!row) return { kind: 'unknown', redacted: [] };
		const { id, ts, kind, sessionId, payload, redacted = [] } = row;
		const unsaid = new Set(['category', 'label', ...redacted]);
		const claim = Object.fromEntries(Object.entries(line).filter(([name]) => !unsaid.has(name)));
		const isRow = isDeepStrictEqual(claim, { id, ts, type: kind, sessionId, ...payload });
		return { kind: isRow ? 'proven' : 'forged', redacted };
	};
}
