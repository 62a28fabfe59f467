import { afterEach, expect, test } from 'vitest';
import { ComplexityAssessment } from '#lib/validators/answers.ts';
import { LLMError } from '#lib/validators/llm-question.ts';
import { createLog } from '../../process/log.ts';
import { type ModelReply, type ScriptedModel, startScriptedModel } from '../../testing/scripted-model.ts';
import { createLLMClient } from './llm-client.ts';
import type { LLMConfig } from './llm-config.ts';

const models: ScriptedModel[] = [];
afterEach(async () => {
	for (const model of models.splice(0)) await model.stop();
});

const KEY = 'sk-secret-0123456789';
const rated = {
	rating: 'complex',
	evidence: {
		filesCount: 6,
		functionsEstimate: null,
		linesEstimate: 400,
		integrationPoints: ['billing'],
		hasMultipleSteps: true,
		requiresCoordination: true,
	},
	reasoning: 'many parts',
};
const question = {
	name: 'complexity_assessment',
	system: 'Rate it.',
	prompt: 'data',
	schema: ComplexityAssessment,
	sessionId: 's1',
};

async function open(change: Partial<LLMConfig>, ...script: ModelReply[]) {
	const model = await startScriptedModel(...script);
	models.push(model);
	const logged: string[] = [];
	const config: LLMConfig = {
		provider: 'anthropic',
		model: 'claude-haiku-4-5',
		baseUrl: model.baseUrl,
		key: KEY,
		timeoutMs: 60_000,
		callsPerSession: 100,
		...change,
	};
	return {
		model,
		logged,
		client: createLLMClient(
			config,
			createLog((line) => logged.push(line)),
		),
	};
}

const whyOf = (answer: Promise<unknown>) =>
	answer.then(
		() => 'answered',
		(error: unknown) => (error instanceof LLMError ? error.why : error),
	);

test('an Anthropic model is asked in structured output over the Messages API', async () => {
	const { model, client } = await open({}, { json: rated });
	const answer = await client.ask(question);
	expect(answer).toEqual({ ...rated, evidence: { ...rated.evidence, functionsEstimate: undefined } });
	const [request] = model.requests;
	expect(request?.path).toBe('/v1/messages');
	expect(request?.headers['x-api-key']).toBe(KEY);
	expect(request?.body).toMatchObject({ model: 'claude-haiku-4-5', system: [{ text: 'Rate it.' }] });
	expect(request?.body.output_config).toMatchObject({ format: { type: 'json_schema' } });
	expect(request?.body.stream).not.toBe(true);
});

test('an OpenAI-compatible model is asked in structured output over the chat API, without a key if it has none', async () => {
	const local = { provider: 'openai-compatible', model: 'local', key: undefined } as const;
	const { model, client } = await open(local, { json: rated });
	expect((await client.ask(question)).rating).toBe('complex');
	const [request] = model.requests;
	expect(request?.path).toBe('/v1/chat/completions');
	expect(request?.headers.authorization).toBeUndefined();
	expect(request?.body.response_format).toMatchObject({
		type: 'json_schema',
		json_schema: {
			name: 'complexity_assessment',
			strict: true,
			schema: { required: ['rating', 'evidence', 'reasoning'] },
		},
	});
});

test('an answer that does not fit the shape is none: tried once more, then given up', async () => {
	for (const reply of [
		{ text: 'The rating is simple.' },
		{ json: { ...rated, rating: 'trivial' } },
		{ json: { ...rated, extra: true } },
		{ json: { rating: 'simple' } },
		{ text: `ignore this {"rating":"simple"} ${JSON.stringify(rated)}` },
	]) {
		const { model, client } = await open({}, reply);
		expect(await whyOf(client.ask(question))).toBe('unreadable');
		expect(model.requests).toHaveLength(2);
	}
});

test('one failure is forgiven: the second try counts', async () => {
	const { model, client } = await open({}, { status: 529 }, { json: rated });
	expect((await client.ask(question)).rating).toBe('complex');
	expect(model.requests).toHaveLength(2);
});

test('a model that hangs is given up in time, and is not tried again', async () => {
	const { model, client } = await open({ timeoutMs: 60_000 }, 'hang');
	expect(await whyOf(client.ask({ ...question, withinMs: 300 }))).toBe('timeout');
	expect(model.requests).toHaveLength(1);
});

test('a redirect is not followed: only what the settings name is asked', async () => {
	const elsewhere = await open({}, { json: rated });
	const { model, client } = await open({}, { status: 307, location: `${elsewhere.model.baseUrl}/messages` });
	expect(await whyOf(client.ask(question))).toBe('failed');
	expect(model.requests).toHaveLength(2);
	expect(elsewhere.model.requests).toHaveLength(0);
});

test('an answer without end is none', async () => {
	const { client } = await open({}, 'flood');
	expect(await whyOf(client.ask(question))).toBe('failed');
});

test('a session that has used up its budget asks no more; another one does', async () => {
	const { model, client } = await open({ callsPerSession: 2 }, { json: rated });
	await client.ask({ ...question, prompt: 'one' });
	await client.ask({ ...question, prompt: 'two' });
	expect(await whyOf(client.ask({ ...question, prompt: 'three' }))).toBe('budget');
	await client.ask({ ...question, prompt: 'three', sessionId: 's2' });
	expect(model.requests).toHaveLength(3);
});

test('the same content is asked once, also at the same time; failures are not kept', async () => {
	const { model, client } = await open({}, { status: 500 }, { status: 500 }, { json: rated });
	expect(await whyOf(client.ask(question))).toBe('failed');
	const both = await Promise.all([
		client.ask(question),
		client.ask({ ...question, sessionId: 's2', withinMs: 60_000 }),
	]);
	expect(both[0]).toEqual(both[1]);
	await client.ask(question);
	expect(model.requests).toHaveLength(3);
	await client.ask({ ...question, prompt: 'other' });
	expect(model.requests).toHaveLength(4);
});

test('neither the log nor an error ever holds the key', async () => {
	const { client, logged } = await open({}, { status: 401 });
	const error = await client.ask(question).catch((thrown: unknown) => thrown);
	expect(JSON.stringify([error, String(error), (error as Error).stack, (error as Error).cause])).not.toContain(KEY);
	expect(logged.join('')).toContain('401');
	expect(logged.join('')).not.toContain(KEY);
});
