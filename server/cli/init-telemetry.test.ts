import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createInitRig, type InitRig, putFile } from '../testing/init-rig.ts';

let rig: InitRig;
let user: string;
beforeEach(() => {
	rig = createInitRig();
	user = join(rig.root, '.claude/settings.json');
});

const run = (...args: string[]) => rig.run(args, { PATH: join(rig.root, 'programs'), SIGNALBOX_PORT: '7790' });
const read = (path: string) => readFileSync(join(rig.root, path), 'utf8');
const token = () => read('.overtone/telemetry-token').trim();
const printed = () => [...rig.out, ...rig.err].join('\n');

test('init --telemetry has Claude Code send to this server; again it changes nothing, and --remove takes it back', async () => {
	const before = '{\n  "permissions": { "allow": ["Bash(ls)"] },\n  "env": { "A": "1" }\n}\n';
	putFile(user, before);
	expect(await run('init', '--telemetry')).toBe(0);
	expect(token()).toMatch(/^sbtel_[\w-]{43}$/);
	expect(JSON.parse(readFileSync(user, 'utf8')).env).toEqual({
		A: '1',
		CLAUDE_CODE_ENABLE_TELEMETRY: '1',
		OTEL_LOGS_EXPORTER: 'otlp',
		OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
		OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:7790',
		OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer ${token()}`,
	});
	const first = readFileSync(user, 'utf8');
	expect(await run('init', '--telemetry')).toBe(0);
	expect(await run('init')).toBe(0);
	expect(readFileSync(user, 'utf8')).toBe(first);
	expect(await run('doctor')).toBeDefined();
	expect(printed()).toMatch(/ok +telemetry, claude-code +Claude Code sends it to http:\/\/127\.0\.0\.1:7790/);
	putFile(user, first.replace(':7790', ':7000'));
	await run('doctor');
	expect(printed()).toMatch(/WRONG +telemetry, claude-code .*another port/);
	expect(await run('init', '--telemetry')).toBe(0);
	expect(readFileSync(user, 'utf8')).toBe(first);
	expect(await run('init', '--remove')).toBe(0);
	expect(JSON.parse(readFileSync(user, 'utf8'))).toEqual(JSON.parse(before));
});

test('clients that have a telemetry file get theirs, and the rest are listed', async () => {
	const toml = 'model = "gpt-5.5"\n\n[analytics]\nenabled = false\n';
	putFile(join(rig.root, '.codex/config.toml'), toml);
	expect(await run('init', '--telemetry', '--agent', 'codex,gemini,qwen,copilot,opencode')).toBe(0);
	expect(read('.codex/config.toml')).toBe(
		[
			`${toml}`,
			'# >>> telemetry for signalbox; `signalbox init --remove` takes it out',
			'[otel]',
			`exporter = { otlp-http = { endpoint = "http://127.0.0.1:7790/v1/logs", protocol = "json", headers = { "authorization" = "Bearer ${token()}" } } }`,
			'# <<< telemetry for signalbox',
			'',
		].join('\n'),
	);
	const sends = {
		...{ enabled: true, target: 'local', otlpProtocol: 'http', logPrompts: false },
		otlpEndpoint: `http://127.0.0.1:7790/otlp/${token()}`,
	};
	expect(JSON.parse(read('.gemini/settings.json')).telemetry).toEqual(sends);
	expect(JSON.parse(read('.qwen/settings.json')).telemetry).toEqual(sends);
	expect(printed()).toContain(`OTEL_EXPORTER_OTLP_HEADERS='Authorization=Bearer ${token()}'`);
	expect(printed()).toContain('OpenCode exports no telemetry.');
	expect(await run('init', '--remove')).toBe(0);
	expect(read('.codex/config.toml')).toBe(toml);
	expect(existsSync(join(rig.root, '.gemini/settings.json'))).toBe(false);
	expect(existsSync(user)).toBe(false);
});

test.each([
	['claude-code', 'shop/.claude/settings.local.json', '{"env":{"OTEL_EXPORTER_OTLP_ENDPOINT":"http://mine:4318"}}'],
	['claude-code', 'shop/.claude/settings.json', '{"env":{"CLAUDE_CODE_ENABLE_TELEMETRY":"1"}}'],
	['claude-code', '.claude/settings.json', '{"env":{"OTEL_METRICS_EXPORTER":"prometheus"}}'],
	['gemini', '.gemini/settings.json', '{"telemetry":{"enabled":false}}'],
	['codex', '.codex/config.toml', '[otel]\nexporter = "none"\n'],
	['codex', '.codex/config.toml', 'otel.environment = "dev"\n'],
])('telemetry that a person configured is reported and left alone: %s in %s', async (agent, path, text) => {
	putFile(join(rig.root, path), text);
	expect(await run('init', '--telemetry', '--agent', agent)).toBe(1);
	expect(printed()).toContain('has telemetry of your own');
	expect(printed()).toContain(path);
	expect(read(path)).toBe(text);
	for (const made of ['.codex/hooks.json', '.overtone']) expect(existsSync(join(rig.root, made))).toBe(false);
	expect(await run('init', '--remove', '--agent', agent)).toBe(0);
	expect(read(path)).toBe(text);
});

test('--print writes nothing, no token either', async () => {
	expect(await run('init', '--telemetry', '--print')).toBe(0);
	expect(existsSync(join(rig.root, '.overtone'))).toBe(false);
	expect(existsSync(user)).toBe(false);
});

describe('a person’s config.toml', () => {
	const path = () => join(rig.root, '.codex/config.toml');
	const init = () => run('init', '--telemetry', '--agent', 'codex');

	test.each([
		['with a final line end', 'model = "gpt-5.5"\n'],
		['without one', '[analytics]\nenabled = false'],
		['with the line ends of another system', 'model = "gpt-5.5"\r\n\r\n[analytics]\r\nenabled = false\r\n'],
		['that is empty', ''],
		['with a line end alone', '\n'],
		['with a byte order mark and a large number', '\uFEFFlimit = 9223372036854775807\n'],
	])('%s has our lines in its own line ends, and is as it was after --remove', async (_, text) => {
		putFile(path(), text);
		expect(await init()).toBe(0);
		const first = read('.codex/config.toml');
		expect(first.startsWith(text)).toBe(true);
		const ends = text.includes('\r\n') ? /\r\n/g : /(?<!\r)\n/g;
		expect(first.match(/\n/g)).toHaveLength(first.match(ends)?.length ?? 0);
		expect(await init()).toBe(0);
		expect(read('.codex/config.toml')).toBe(first);
		expect(await run('init', '--remove', '--agent', 'codex')).toBe(0);
		expect(read('.codex/config.toml')).toBe(text);
	});

	test('to which the client has written behind our lines keeps them where they are', async () => {
		expect(await init()).toBe(0);
		const more = '\n[hooks.state."x"]\ntrusted_hash = "sha256:1"\n';
		putFile(path(), `${read('.codex/config.toml')}${more}`);
		const before = read('.codex/config.toml');
		expect(await init()).toBe(0);
		expect(read('.codex/config.toml')).toBe(before);
		expect(await run('init', '--remove', '--agent', 'codex')).toBe(0);
		expect(read('.codex/config.toml')).toBe(more);
	});

	test.each([
		['is cut off', 'model = "gpt\n[analytics]\n', 'line 1 is no TOML'],
		['says a thing twice', 'model = "a"\nmodel = "b"\n', 'line 2 is no TOML'],
		['is something else', '{"model": 1}\n', 'line 1 is no TOML'],
	])('that %s is refused with the line, and nothing is written', async (_, text, says) => {
		putFile(path(), text);
		expect(await init()).toBe(1);
		expect(printed()).toContain(`.codex/config.toml was not changed: ${says}`);
		expect(read('.codex/config.toml')).toBe(text);
		expect(existsSync(join(rig.root, '.codex/hooks.json'))).toBe(false);
	});
});

test('only its owner can read a file with the token: a new one, and, with a message, an existing one', async () => {
	const modeOf = (path: string) => (statSync(join(rig.root, path)).mode & 0o777).toString(8);
	putFile(join(rig.root, '.gemini/settings.json'), '{}', 0o644);
	putFile(join(rig.root, '.qwen/settings.json'), '{}', 0o400);
	expect(await run('init', '--telemetry', '--agent', 'codex,gemini,qwen,claude-code')).toBe(0);
	const files = ['.codex/config.toml', '.gemini/settings.json', '.qwen/settings.json', '.claude/settings.json'];
	expect(files.map(modeOf)).toEqual(['600', '600', '400', '600']);
	expect(rig.err.filter((line) => line.includes('now contains a token'))).toEqual([
		expect.stringContaining('.gemini/settings.json'),
	]);
	putFile(join(rig.root, '.codex/config.toml'), read('.codex/config.toml'), 0o640);
	expect(await run('init', '--telemetry', '--agent', 'codex')).toBe(0);
	expect(modeOf('.codex/config.toml')).toBe('600');
});

test.each(['', '{}', '{\n}\n'])('a person’s own empty file (%j) is restored by --remove', async (text) => {
	putFile(user, text);
	putFile(join(rig.root, '.gemini/settings.json'), text);
	expect(await run('init', '--telemetry', '--agent', 'claude-code,gemini')).toBe(0);
	expect(read('.claude/settings.json')).toContain(token());
	expect(await run('init', '--remove')).toBe(0);
	expect(read('.claude/settings.json')).toBe(text);
	expect(read('.gemini/settings.json')).toBe(text);
	expect(existsSync(`${user}.signalbox-backup`)).toBe(false);
});
