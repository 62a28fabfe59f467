import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { categoryOf, type EventType } from '../contract/events/event-labels.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { emptyView, fold } from '../session/fold.ts';
import { sessionSpans } from './session-spans.ts';

type TypedFields = [EventType, Record<string, unknown>];

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** The spans that each of these events brings, in turn: name and parent's name. */
function spansAfterEach(...events: TypedFields[]): string[][] {
	let view = emptyView('s');
	const names = new Map<string, string>();
	const all = events.map(([type, fields], index) => {
		const ts = new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString();
		const envelope = { id: `e${index}`, ts, category: categoryOf(type), label: '', sessionId: 's', seq: index + 1 };
		const event = { ...envelope, type, ...fields } as IndexedEvent;
		const { view: next, rows } = fold(view, event, () => undefined);
		view = next;
		return sessionSpans({ events: [event], rows, view }, { digest, content: false });
	});
	for (const { spanId, name } of all.flat()) names.set(spanId, name);
	return all.map((spans) =>
		spans.map(({ name, parentSpanId = '' }) => `${name} < ${names.get(parentSpanId) ?? 'none'}`),
	);
}

const startOf = (agent: string): TypedFields => ['agent:start', { agent, agentId: 'a1' }];
const completed: TypedFields = ['agent:complete', { agent: 'reader', agentId: 'a1' }];
const ended: TypedFields = ['session:end', { reason: 'other' }];

test('R1836 a sub-agent is sent under the call that started it, also where the result that binds them comes last', () => {
	const spans = spansAfterEach(
		['tool:call', { tool: 'Agent', toolUseId: 'call-1', input: {} }],
		startOf('reader'),
		completed,
		['tool:result', { tool: 'Agent', toolUseId: 'call-1', startedAgentId: 'a1' }],
		ended,
	);
	expect(spans[2]).toEqual([]);
	expect(spans[3]).toContain('invoke_agent reader < execute_tool Agent');
	expect(spans[4]).toEqual(['invoke_agent main < none']);
});

test('R1836 a sub-agent that no call is known of is sent under its session, when that is over', () => {
	const spans = spansAfterEach(startOf('reader'), completed, ended);
	expect(spans[1]).toEqual([]);
	expect(spans[2]).toEqual(['invoke_agent reader < invoke_agent main', 'invoke_agent main < none']);
});

test.each([
	['claude-opus-5-5', 'anthropic'],
	['gpt-6', 'openai'],
	['gemini-3-pro', 'gcp.gemini'],
	['our-proxy', undefined],
])('R1836 an answer of %s is of the provider %s', (model, provider) => {
	const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
	const event = { id: 'e1', ts: '2026-01-01T00:00:00.000Z', sessionId: 's', seq: 1, category: 'model', label: '' };
	const usageEvent = { ...event, type: 'model:usage', messageId: 'm1', model, ...usage } as IndexedEvent;
	const [span] = sessionSpans({ events: [usageEvent], rows: [], view: emptyView('s') }, { digest, content: false });
	expect(span?.attributes['gen_ai.provider.name']).toBe(provider);
});
