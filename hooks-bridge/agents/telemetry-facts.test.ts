import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree, type Scalar } from '#lib/otlp/otlp-record.ts';
import { readProtobuf } from '#lib/otlp/read-protobuf.ts';
import { telemetryFacts } from './setup-of.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../e2e/fixtures/otlp', name));
const factsIn = (name: string) => {
	const signal = name.includes('spans') ? 'traces' : 'logs';
	const body = fixture(name);
	const tree = name.endsWith('.pb') ? readProtobuf(signal, body) : JSON.parse(body.toString());
	return telemetryFacts(readTree(signal, tree).records);
};

/** How many facts of each kind, how many sessions, and the tokens of all answers. */
function sumOf(name: string) {
	const facts = factsIn(name);
	const kinds: Record<string, number> = {};
	let tokens = 0;
	for (const { says } of facts) {
		kinds[says.kind] = (kinds[says.kind] ?? 0) + 1;
		if (says.kind === 'answer') tokens += says.inputTokens + says.outputTokens;
	}
	return { ...kinds, sessions: new Set(facts.map(({ sessionId }) => sessionId)).size, tokens };
}

test('what the real clients exported is read: tokens, model, and who let a call run, each with its session', () => {
	expect(sumOf('claude-code-logs.jsonl')).toEqual({ answer: 6, decision: 4, sessions: 1, tokens: 720 });
	expect(sumOf('claude-code-logs.pb')).toEqual({ answer: 6, decision: 4, sessions: 1, tokens: 720 });
	expect(sumOf('codex-logs.jsonl')).toEqual({ answer: 4, decision: 3, sessions: 1, tokens: 4080 });
	expect(sumOf('gemini-logs.jsonl')).toEqual({ answer: 6, decision: 5, sessions: 1, tokens: 6120 });
	expect(sumOf('qwen-logs.jsonl')).toEqual({ answer: 8, decision: 5, sessions: 1, tokens: 8160 });
	expect(sumOf('copilot-spans.jsonl')).toEqual({ answer: 6, sessions: 1, tokens: 6120 });
	expect(sumOf('copilot-error-spans.jsonl')).toEqual({ error: 1, sessions: 1, tokens: 0 });
});

test('a fact says by what it is joined: session, agent, prompt and call', () => {
	const [decision] = factsIn('claude-code-logs.jsonl').filter(({ agentId }) => agentId !== undefined);
	expect(decision).toMatchObject({
		make: 'claude-code',
		sessionId: '1a26fc71-c81a-43a2-9ae1-92ac77e8d70e',
		agentId: 'a3082c3bce1b79895',
		promptId: '8d6336b4-c058-43df-acd0-c2f2b161ef8a',
		toolUseId: 'toolu_238f53a3c84f38207ec2_0',
		at: Date.parse('2026-11-23T04:11:47.684Z'),
		says: { kind: 'decision', tool: 'Bash', decision: 'accept', by: 'config' },
	});
});

const factOf = (name: string, attributes: Record<string, Scalar>, failed = false) =>
	telemetryFacts([
		{
			name,
			service: 'github-copilot',
			at: 1,
			stamp: '1000000',
			spanId: '',
			failed,
			attributes: new Map(Object.entries(attributes)),
		},
	])[0]?.says;

test.each([
	[
		'claude_code.api_error',
		{ 'session.id': 's1', model: 'opus', status_code: '529', error: 'Overloaded', attempt: '3' },
		{ kind: 'error', model: 'opus', status: 529, error: 'Overloaded', attempt: 3 },
	],
	[
		'codex.api_request',
		{ 'conversation.id': 's1', model: 'gpt', 'http.response.status_code': 500, attempt: 0, 'error.message': 'down' },
		{ kind: 'error', model: 'gpt', status: 500, error: 'down', attempt: 1 },
	],
	[
		'gemini_cli.api_error',
		{ 'session.id': 's1', model: 'pro', status_code: 429, 'error.message': 'quota' },
		{ kind: 'error', model: 'pro', status: 429, error: 'quota' },
	],
	[
		'qwen-code.api_error',
		{ 'session.id': 's1', model: 'qwen3', error: 'gone' },
		{ kind: 'error', model: 'qwen3', error: 'gone' },
	],
	[
		'codex.tool_decision',
		{ 'conversation.id': 's1', tool_name: 'exec_command', decision: 'denied', source: 'User' },
		{ kind: 'decision', tool: 'exec_command', decision: 'reject', by: 'User' },
	],
])('%s of a provider that did not answer, or of a call that was refused, is read', (name, attributes, says) => {
	expect(factOf(name, attributes)).toEqual(says);
});

test('cached tokens are not counted as input again', () => {
	const answer = { 'session.id': 's1', model: 'pro', input_token_count: 1000, output_token_count: 20 };
	const fact = factOf('gemini_cli.api_response', {
		...answer,
		cached_content_token_count: 900,
		thoughts_token_count: 5,
	});
	expect(fact).toMatchObject({ inputTokens: 100, cacheReadTokens: 900, outputTokens: 25 });
	const codex = { 'conversation.id': 's1', model: 'gpt', input_token_count: 1000, output_token_count: 20 };
	const counts = { cached_token_count: 600, cache_write_token_count: 100, reasoning_token_count: 15 };
	expect(factOf('codex.sse_event', { ...codex, ...counts })).toMatchObject({
		inputTokens: 300,
		cacheReadTokens: 600,
		cacheWriteTokens: 100,
		outputTokens: 20,
	});
});

test('a record of an impossible or unknown session records nothing', () => {
	expect(factOf('claude_code.api_request', { model: 'opus' })).toBeUndefined();
	expect(factOf('claude_code.api_request', { 'session.id': '../../etc', model: 'opus' })).toBeUndefined();
	expect(factOf('claude_code.api_request', { 'session.id': 7, model: 'opus' })).toBeUndefined();
	expect(factOf('claude_code.user_prompt', { 'session.id': 's1' })).toBeUndefined();
	expect(factOf('', {})).toBeUndefined();
});
