import type { EventOf } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { AgentView, IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { alarmOf, outcomeOf } from '../session/call.ts';

/** One span of a session's trace, in no exporter's form. Times are ms since the epoch. */
export interface Span {
	/** 32 hex digits, the same for all of a session. */
	traceId: string;
	/** 16 hex digits, stable across exports. */
	spanId: string;
	parentSpanId?: string;
	name: string;
	from: number;
	to: number;
	attributes: Record<string, string | number | boolean | string[]>;
	error?: string;
}

interface SessionRecord {
	events: readonly IndexedEvent[];
	rows: readonly Row[];
	view: SessionView;
}

interface SpanOptions {
	/** 64 hex digits of a text. */
	digest: (text: string) => string;
	/** Whether texts of agents and people are included. */
	content: boolean;
}

/**
 * The spans that end in this part of a session's story: calls, sub-agents, answers of models, the session itself. Names and
 * attributes are those of OpenTelemetry's conventions for generative AI; ours begin with `signalbox.`.
 */
export function sessionSpans({ events, rows, view }: SessionRecord, { digest, content }: SpanOptions): Span[] {
	const { sessionId } = view;
	const traceId = digest(`trace ${sessionId}`).slice(0, 32);
	const idOf = (key: string) => digest(`span ${sessionId} ${key}`).slice(0, 16);
	const rootSpanId = idOf('session');
	const ids = new Set(events.map(({ id }) => id));
	const names = new Map(view.agents.map(({ agentId, name }) => [agentId, name]));
	const parentOf = (key: string, agentId: string | undefined) => ({
		traceId,
		spanId: idOf(key),
		parentSpanId: agentId === undefined ? rootSpanId : idOf(`agent:${agentId}`),
	});
	const commonAttributes = (agentId: string | undefined) => ({
		'gen_ai.conversation.id': sessionId,
		...(agentId !== undefined && { 'gen_ai.agent.id': agentId, 'gen_ai.agent.name': names.get(agentId) ?? agentId }),
		...(view.agent !== undefined && { 'signalbox.agent.make': view.agent }),
	});
	const calls = rows.flatMap(({ call }) => (call && isOver(call) ? [call] : []));
	const isSessionOver = events.some(({ type }) => type === 'session:end' || type === 'session:lost');
	const agentsWithResult = new Set(
		events.flatMap((event) => (isKnown(event) && event.type === 'tool:result' ? event.startedAgentId : [])),
	);
	const agents = view.agents.filter(({ agentId, end, toolUseId }) => {
		if (!end) return false;
		// With a call: once both its end and the call's result are known, in either order. Without one: at the session's end.
		return toolUseId === undefined ? isSessionOver : ids.has(end.id) || agentsWithResult.has(agentId);
	});
	return [
		...calls.map((call) => ({
			...parentOf(`call:${call.toolUseId}`, call.agentId),
			...callSpan(call, content),
			attributes: { ...commonAttributes(call.agentId), ...callAttributes(call, content) },
		})),
		...agents.map((agent) => ({
			...parentOf(`agent:${agent.agentId}`, undefined),
			...(agent.toolUseId !== undefined && { parentSpanId: idOf(`call:${agent.toolUseId}`) }),
			...agentSpan(agent, content),
			attributes: { ...commonAttributes(agent.agentId), 'gen_ai.operation.name': 'invoke_agent' },
		})),
		...events.flatMap((event) => {
			if (!isKnown(event) || event.type !== 'model:usage') return [];
			const at = Date.parse(event.at ?? event.ts);
			const span = {
				...parentOf(`answer:${event.messageId}`, event.agentId),
				name: `chat ${event.model}`,
				from: at,
				to: at,
			};
			return [{ ...span, attributes: { ...commonAttributes(event.agentId), ...answerAttributes(event) } }];
		}),
		...events.flatMap((event) => {
			if (event.type !== 'session:end' && event.type !== 'session:lost') return [];
			const from = Date.parse(view.startedAt ?? event.ts);
			const attributes = {
				...commonAttributes(undefined),
				'gen_ai.operation.name': 'invoke_agent',
				...(view.project !== undefined && { 'signalbox.project': view.project }),
				...(view.workflow && { 'signalbox.workflow': view.workflow.workflowType }),
			};
			const lost = event.type === 'session:lost' && { error: 'lost' };
			return [
				{ traceId, spanId: rootSpanId, name: 'invoke_agent main', from, to: Date.parse(event.ts), attributes, ...lost },
			];
		}),
	];
}

function isOver(call: CallView): boolean {
	const outcome = outcomeOf(call);
	return outcome !== 'running' && outcome !== 'waiting';
}

/** A denied call took as long as its question was open. */
function callSpan(call: CallView, content: boolean): Pick<Span, 'name' | 'from' | 'to' | 'error'> {
	const from = Date.parse(call.at);
	const to = Date.parse(call.agentEnd?.at ?? call.endedAt ?? call.approval?.decidedAt ?? call.closed?.at ?? call.at);
	const outcome = outcomeOf(call);
	const error = outcome === 'failed' ? 'failed' : outcome === 'stopped' ? 'denied' : undefined;
	const words = content && call.error !== undefined ? call.error : error;
	return {
		name: `execute_tool ${call.tool}`,
		from,
		to: Math.max(from, to),
		...(words !== undefined && { error: words }),
	};
}

function callAttributes(call: CallView, content: boolean): Span['attributes'] {
	const { approval, verdicts, grant } = call;
	const against = verdicts.filter(({ decision }) => decision !== 'pass');
	const waited = approval?.requestedAt && (approval.decidedAt ?? approval.deadline ?? call.closed?.at);
	const outcome = outcomeOf(call);
	const alarm = alarmOf(call);
	return {
		'gen_ai.operation.name': 'execute_tool',
		'gen_ai.tool.name': call.tool,
		'gen_ai.tool.call.id': call.toolUseId,
		'gen_ai.tool.type': 'function',
		'signalbox.outcome': outcome,
		...(outcome === 'stopped' && { 'error.type': 'denied' }),
		...(outcome === 'failed' && { 'error.type': 'failed' }),
		...(verdicts.length > 0 && { 'signalbox.gates': verdicts.map(({ gate }) => gate) }),
		...(against.length > 0 && { 'signalbox.rules': against.map(({ rule }) => rule) }),
		...(approval && { 'signalbox.decision': approval.state }),
		...(approval?.by && { 'signalbox.decision.via': approval.by.via }),
		...(waited && { 'signalbox.wait.ms': Date.parse(waited) - Date.parse(approval.requestedAt ?? waited) }),
		...(grant && { 'signalbox.grant': grant.scope }),
		...(alarm !== undefined && { 'signalbox.alarm': alarm }),
		...(content && { 'signalbox.title': call.title, 'signalbox.reasons': against.map(({ reason }) => reason) }),
	};
}

function agentSpan(agent: AgentView, content: boolean): Pick<Span, 'name' | 'from' | 'to' | 'error'> {
	const to = Date.parse(agent.endedAt ?? agent.startedAt ?? '');
	const from = Date.parse(agent.startedAt ?? agent.endedAt ?? '');
	const error = agent.error === undefined ? undefined : content ? agent.error : 'failed';
	return { name: `invoke_agent ${agent.name}`, from, to: Math.max(from, to), ...(error !== undefined && { error }) };
}

/** Providers by the conventions' names; unknown models have none. */
const PROVIDERS: readonly [name: RegExp, provider: string][] = [
	[/^claude/, 'anthropic'],
	[/^(?:gpt|codex|o\d)/, 'openai'],
	[/^gemini/, 'gcp.gemini'],
];

function answerAttributes(event: EventOf<'model:usage'>): Span['attributes'] {
	const provider = PROVIDERS.find(([name]) => name.test(event.model))?.[1];
	return {
		'gen_ai.operation.name': 'chat',
		...(provider !== undefined && { 'gen_ai.provider.name': provider }),
		'gen_ai.response.model': event.model,
		'gen_ai.response.id': event.messageId,
		'gen_ai.usage.input_tokens': event.inputTokens + event.cacheReadTokens + event.cacheWriteTokens,
		'gen_ai.usage.output_tokens': event.outputTokens,
		'gen_ai.usage.cache_read.input_tokens': event.cacheReadTokens,
		'gen_ai.usage.cache_creation.input_tokens': event.cacheWriteTokens,
		...(event.costUsd !== undefined && { 'signalbox.cost.usd': event.costUsd }),
	};
}
