import type { AgentName } from '#lib/agents/agent-table.ts';
import { isSafeId, keyIdOf } from '#lib/ids/safe-id.ts';
import { defined } from '#lib/json/json.ts';
import type { OtlpRecord } from '#lib/otlp/otlp-record.ts';
import type { AnswerFact, TelemetryFact } from '#lib/otlp/telemetry-fact.ts';

/** No answer has more tokens: a larger number is ignored. */
const MAX_TOKENS = 1e12;
const MAX_NAME = 200;

/** The attributes of a record by type: one of another type counts as missing. */
export function attributesOf({ attributes }: OtlpRecord) {
	const text = (key: string): string | undefined => {
		const value = attributes.get(key);
		return typeof value === 'string' && value !== '' ? value : undefined;
	};
	const number = (key: string): number | undefined => {
		const value = attributes.get(key);
		const read = typeof value === 'string' && value !== '' ? Number(value) : value;
		return typeof read === 'number' && Number.isFinite(read) && read >= 0 ? read : undefined;
	};
	return {
		text,
		name: (key: string) => text(key)?.slice(0, MAX_NAME),
		number,
		/** A number of tokens; none is 0. */
		count: (key: string) => Math.floor(Math.min(number(key) ?? 0, MAX_TOKENS)),
		/** An HTTP status. */
		status(key: string): number | undefined {
			const status = number(key);
			return status !== undefined && Number.isInteger(status) && status < 1000 ? status : undefined;
		},
	};
}

type Attributes = ReturnType<typeof attributesOf>;

/** Attributes by which a client's records are joined to a session; all but the first may be missing. */
interface Keys {
	session: string;
	agent?: string;
	prompt?: string;
	call?: string;
	nonce?: string;
}

/** The fact of a record; null if it names no valid session. */
export function factOf(
	client: AgentName,
	record: OtlpRecord,
	from: Attributes,
	keys: Keys,
	says: TelemetryFact['says'],
): TelemetryFact | null {
	const sessionId = from.text(keys.session);
	if (!isSafeId(sessionId)) return null;
	const find = (key: string | undefined) => (key === undefined ? undefined : from.text(key));
	const agentId = keyIdOf(find(keys.agent), 'agent');
	const toolUseId = keyIdOf(find(keys.call), 'call');
	const promptId = find(keys.prompt)?.slice(0, MAX_NAME);
	return {
		make: client,
		sessionId,
		...defined({ agentId, promptId, toolUseId, at: record.at }),
		nonce: [record.stamp, record.spanId, keys.nonce ? String(record.attributes.get(keys.nonce) ?? '') : ''].join(' '),
		says,
	};
}

/** An answer whose input tokens include those from the cache. */
export function answerOf(
	model: string,
	whole: { input: number; output: number; cacheRead?: number; cacheWrite?: number },
	messageId?: string,
): AnswerFact {
	const { input, output, cacheRead = 0, cacheWrite = 0 } = whole;
	return {
		kind: 'answer',
		model,
		...(messageId && { messageId }),
		inputTokens: Math.max(0, input - cacheRead - cacheWrite),
		outputTokens: output,
		cacheReadTokens: cacheRead,
		cacheWriteTokens: cacheWrite,
		cacheHourTokens: 0,
	};
}
