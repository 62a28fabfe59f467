import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { packageVersion } from '../process/package-root.ts';
import { commandTable } from './command-table.ts';
import { dispatch } from './dispatch.ts';

async function run(...args: string[]) {
	const out: string[] = [];
	const err: string[] = [];
	const code = await dispatch(args, {
		env: { HOME: '/nonexistent' },
		cwd: '/',
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});
	return { code, out: out.join('\n'), err: err.join('\n') };
}

test('--help lists every command; without a command the same with exit 2', async () => {
	const { code, out, err } = await run('--help');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	for (const name of Object.keys(commandTable)) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
	expect(out).toContain('Exit codes:');
	expect(await run()).toMatchObject({ code: 2, out });
});

test.each(Object.keys(commandTable))('%s --help shows usage, examples and exit codes', async (name) => {
	const { code, out } = await run(name, '--help');
	expect(code).toBe(0);
	expect(out).toMatch(new RegExp(`^Usage: signalbox ${name}`));
	expect(out).toContain(`Examples:\n`);
	expect(out).toMatch(/Exit codes:\n {2}0 {2,}\S/);
	for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
	expect((await run('help', name)).out).toBe(out);
});

test('the guide has every command in its table', () => {
	const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/cli.md'), 'utf8');
	const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
	const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([a-z-]+)/g)].map(([, name]) => name));
	expect(Object.keys(commandTable).filter((name) => !named.includes(name))).toEqual([]);
});

test('--version prints the version alone', async () => {
	expect(await run('--version')).toEqual({ code: 0, out: packageVersion(), err: '' });
	expect((await run('foo')).err, 'R982').toContain('lists the commands');
	expect((await run('-v')).err).toBe('Unknown command "-v". `signalbox --help` lists the commands.');
});

test('R246 an unknown command exits 2 and names what was meant', async () => {
	expect(await run('strat')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('`signalbox start`') });
	expect(await run('__proto__')).toMatchObject({ code: 2, err: expect.stringContaining('--help') });
	expect((await run('\u001b[31mred')).err).not.toContain('\u001b');
});

test('R246 a wrong command line exits 2 with the usage and does nothing', async () => {
	expect(await run('open', '--color')).toMatchObject({
		code: 2,
		err: expect.stringContaining('Usage: signalbox open'),
	});
	expect(await run('start', '--port', '70000')).toMatchObject({ code: 2, err: expect.stringContaining('1 to 65535') });
	expect(await run('start', '--port', '1.5')).toMatchObject({ code: 2, err: expect.stringContaining('whole number') });
	expect(await run('supervisor', 'maybe')).toMatchObject({ code: 2, err: expect.stringContaining('`supervisor on`') });
	expect(await run('archive', 'open', '/etc')).toMatchObject({
		code: 2,
		err: expect.stringContaining('is not a file'),
	});
	expect(await run('start', 'now')).toMatchObject({ code: 2, err: expect.stringContaining('"now"') });
	expect(await run('token', 'create', '--role', 'admin')).toMatchObject({
		code: 2,
		err: expect.stringContaining('--role viewer'),
	});
	expect(await run('init', '--project', '/nonexistent/x')).toMatchObject({
		code: 2,
		err: expect.stringContaining('no folder'),
	});
	expect(await run('demo', '--speed', 'fast')).toMatchObject({ code: 2, err: expect.stringContaining('--speed') });
});

test.each([
	[['init', '--proj', 'x'], 'Unknown option --proj. Did you mean --project?'],
	[
		['init', '-x'],
		'Unknown option -x. Options: --project, --agent, --plugin, --supervisor, --telemetry, --remove, --print.',
	],
	[['reindex', '--force'], 'Unknown option --force. This command has no options.'],
	[['audit', 'verify', '--no-json'], 'Unknown option --no-json. Options: --json,'],
	[['start', '--__proto__', 'x'], 'Unknown option --__proto__.'],
	[['hub', 'root', 'passkey', '-pW3'], 'Unknown option -p. If -pW3 is not an option, write `--` before it.'],
	[['start', '--\u001b[31mport'], 'Unknown option --'],
	[['init', '--project'], '--project needs a value: --project DIR.'],
	[['init', '--project='], '--project needs a value: --project DIR.'],
	[['init', '--project', ''], '--project needs a value: --project DIR.'],
	[['init', '--project', '--print'], '--project needs a value: --project DIR, or --project=--print.'],
	[['init', '--print=yes'], '--print takes no value.'],
])('%j says in our words what does not fit', async (args, message) => {
	const { code, out, err } = await run(...args);
	expect([code, out]).toEqual([2, '']);
	expect(err.startsWith(message)).toBe(true);
	expect(err).toContain(`\nUsage: signalbox ${args[0]}`);
	expect(err).not.toContain('\u001b');
});

test('a command that cannot be loaded on this system says why in one sentence', async () => {
	const row = commandTable.status;
	if (row === undefined) throw new Error('There is no `status`.');
	const missing = Object.assign(new Error('libc.musl-x86_64.so.1: no such file'), { code: 'ERR_DLOPEN_FAILED' });
	const load = vi.spyOn(row, 'load').mockRejectedValue(missing);
	onTestFinished(() => load.mockRestore());
	expect(await run('status')).toMatchObject({
		code: 1,
		out: '',
		err: expect.stringMatching(/^Signalbox has no SQLite for this system/),
	});
});

test('a guide is named by its place, which a reader of an installed package could not guess', async () => {
	const home = mkdtempSync(join(tmpdir(), 'sbx-guide-'));
	onTestFinished(() => rmSync(home, { recursive: true }));
	const printed: string[] = [];
	const terminal = {
		env: { OVERTONE_HOME: home, HOME: home },
		cwd: home,
		print() {},
		say: (line: string) => void printed.push(line),
	};
	await dispatch(['notify', 'test'], { ...terminal, programHere: 'signalbox' });
	const [, named = ''] = /see (\S+\.md)/.exec(printed.join('\n')) ?? [];
	expect(isAbsolute(named) && existsSync(named)).toBe(true);
});
