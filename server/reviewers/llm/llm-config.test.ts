import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEY_FILE, readLLMConfig } from './llm-config.ts';

function homeWith(config: unknown): string {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-llm-'));
	writeFileSync(join(home, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
	return home;
}

const llm = { provider: 'anthropic', model: 'claude-haiku-4-5' };

test('without llm in the own config.json nothing is asked, whatever key is in the environment', () => {
	for (const config of [{}, 'not json', { gates: {} }]) {
		expect(readLLMConfig(homeWith(config), { ANTHROPIC_API_KEY: 'k' })).toEqual({ config: null });
	}
	expect(readLLMConfig(mkdtempSync(join(tmpdir(), 'signalbox-llm-')), { SIGNALBOX_LLM_KEY: 'k' }).config).toBeNull();
});

test('the key comes from the environment or from a file that nobody else may read', () => {
	expect(readLLMConfig(homeWith({ llm }), { SIGNALBOX_LLM_KEY: ' k1 ', ANTHROPIC_API_KEY: 'k2' }).config).toEqual({
		...llm,
		baseUrl: 'https://api.anthropic.com/v1',
		key: 'k1',
		timeoutMs: 30_000,
		callsPerSession: 100,
	});
	expect(readLLMConfig(homeWith({ llm }), { ANTHROPIC_API_KEY: 'k2' }).config?.key).toBe('k2');
	const home = homeWith({ 'llm.provider': 'anthropic', 'llm.model': 'm', 'llm.timeoutSeconds': 5 });
	const path = join(home, KEY_FILE);
	writeFileSync(path, 'k3\n', { mode: 0o600 });
	expect(readLLMConfig(home, {}).config).toMatchObject({ key: 'k3', timeoutMs: 5000 });
	chmodSync(path, 0o644);
	expect(readLLMConfig(home, {})).toMatchObject({ config: null, problem: expect.stringContaining('chmod 600') });
	const linked = homeWith({ llm });
	symlinkSync(path, join(linked, KEY_FILE));
	expect(readLLMConfig(linked, {}).config).toBeNull();
});

test('a key of the provider goes to the provider alone: another address needs its own', () => {
	const elsewhere = { ...llm, baseUrl: 'http://127.0.0.1:9/v1' };
	expect(readLLMConfig(homeWith({ llm: elsewhere }), { ANTHROPIC_API_KEY: 'k' })).toMatchObject({ config: null });
	expect(readLLMConfig(homeWith({ llm: elsewhere }), { SIGNALBOX_LLM_KEY: 'k' }).config?.key).toBe('k');
	const local = { provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:11434/v1' };
	expect(readLLMConfig(homeWith({ llm: local }), { OPENAI_API_KEY: 'k' }).config).toMatchObject({ key: undefined });
});

test('what does not fit is named, without the key', () => {
	const bad = { ...llm, provider: 'x', baseUrl: 'file:///etc', timeoutSeconds: 0 };
	const { config, problem } = readLLMConfig(homeWith({ llm: bad }), { SIGNALBOX_LLM_KEY: 'secret' });
	expect(config).toBeNull();
	expect(problem).toMatch(/llm\.provider.*llm\.baseUrl.*llm\.timeoutSeconds/s);
	expect(problem).not.toContain('secret');
});

test('R2380 a misspelt key of `llm` is named, and a model is asked all the same', () => {
	const { config, problem } = readLLMConfig(homeWith({ llm: { ...llm, timeoutSecond: 5 } }), {
		SIGNALBOX_LLM_KEY: 'k',
	});
	expect(config).toMatchObject({ timeoutMs: 30_000 });
	expect(problem).toBe('llm.timeoutSecond is no setting; did you mean llm.timeoutSeconds?');
});
