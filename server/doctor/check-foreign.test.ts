import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyView } from '#lib/session/fold.ts';
import { createIncidentLog } from '../journal/incidents/incident-log.ts';
import { createProjectCheck } from '../journal/incidents/watch-projects.ts';
import { createProjectHealth } from '../pages/status/project-health.ts';
import { createLog } from '../process/log.ts';
import { type HookEntries, type HookGroup, hookEntries } from '../setup/hook-entries.ts';
import { checkForeign } from './check-settings.ts';

let home: string;
let project: string;
let configDir: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'foreign-'));
	project = join(home, 'shop');
	configDir = join(home, 'client');
});
afterEach(() => rmSync(home, { recursive: true }));

const write = (path: string, settings: object) => {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, JSON.stringify(settings));
};
const foreign = (command: string, matcher = 'Bash') => ({ matcher, hooks: [{ type: 'command', command }] });

/** What a server sees of the project's settings; each call is two looks, since a half-written file is none. */
function watched() {
	const env = { CLAUDE_CONFIG_DIR: configDir, HOME: home };
	const views = () => [{ ...emptyView('s1'), cwd: project }];
	const health = createProjectHealth({ home, views, ports: { projectRootOf: (cwd) => cwd }, env, now: Date.now });
	const incidents = createIncidentLog({
		ports: { append: () => undefined, digest: (text) => text, now: Date.now },
		log: createLog(() => undefined),
	});
	const { check } = createProjectCheck({ home, configDir, health, incidents });
	check();
	const checkTwice = () => {
		check();
		check();
		return incidents.list().map(({ code, message, until }) => ({ code, message, isOpen: until === null }));
	};
	return {
		checkTwice,
		findings: () => health.check(project).findings.map(({ state, detail }) => ({ state, detail })),
	};
}

test.each([
	['settings.json', 'the project’s'],
	['settings.local.json', 'this machine’s'],
	['client', 'the person’s'],
])('in %s (%s) a variable or a hook that circumvents ours is an incident as long as it is set', (file) => {
	const ours = { hooks: hookEntries(120) };
	const path = file === 'client' ? join(configDir, 'settings.json') : join(project, '.claude', file);
	const before: { hooks: HookEntries } = file === 'settings.json' ? ours : { hooks: {} };
	write(join(project, '.claude/settings.json'), ours);
	const { checkTwice } = watched();
	expect(checkTwice()).toEqual([]);
	write(path, { ...before, env: { OVERTONE_HOME: '/tmp/none', EDITOR: 'vi' } });
	expect(checkTwice()).toMatchObject([{ code: 'settings/changed', isOpen: true }]);
	expect(checkTwice()[0]?.message).toContain('env.OVERTONE_HOME = /tmp/none');
	write(path, before);
	expect(checkTwice()).toMatchObject([{ isOpen: false }]);
	const { PermissionRequest = [] } = before.hooks;
	write(path, { hooks: { ...before.hooks, PermissionRequest: [...PermissionRequest, foreign('change-it')] } });
	expect(checkTwice()[0]).toMatchObject({ code: 'settings/changed', isOpen: true });
	expect(checkTwice()[0]?.message).toContain('another hook may change inputs after they were judged: change-it');
});

test('a hook that existed from the start is on the health page and not an incident; another command in its place is one', () => {
	const path = join(project, '.claude/settings.json');
	const withHook = (command: string) => {
		const ours = hookEntries(120);
		return { hooks: { ...ours, PreToolUse: [...(ours.PreToolUse ?? []), foreign(command)] } };
	};
	write(path, withHook(`lint ${'x'.repeat(200)}`));
	const { checkTwice, findings } = watched();
	expect(checkTwice()).toEqual([]);
	expect(findings().map(({ state }) => state)).toContain('warn');
	write(path, withHook(`lint ${'x'.repeat(199)}y`));
	expect(checkTwice()).toMatchObject([{ code: 'settings/changed', isOpen: true }]);
});

test.each([
	[
		'does not wait for it',
		(group: HookGroup) => ({ ...group, hooks: group.hooks.map((hook) => ({ ...hook, async: true })) }),
	],
	[
		'asks it of some calls',
		(group: HookGroup) => ({ ...group, hooks: group.hooks.map((hook) => ({ ...hook, if: 'Bash(ls)' })) }),
	],
	['asks it of one tool', (group: HookGroup) => ({ ...group, matcher: 'Read' })],
])('R802 a hook of ours whose client %s from now on is an open incident until that ends', (_what, narrow) => {
	const path = join(project, '.claude/settings.json');
	const ours = hookEntries(120);
	write(path, { hooks: ours });
	const { checkTwice } = watched();
	expect(checkTwice()).toEqual([]);
	write(path, { hooks: { ...ours, PreToolUse: ours.PreToolUse?.map((group): object => narrow(group)) } });
	const words = 'the client does not run the hook on PreToolUse for every call, or does not wait for it';
	const message = expect.stringContaining(words);
	expect(checkTwice()).toContainEqual({ code: 'settings/changed', message, isOpen: true });
	write(path, { hooks: ours });
	expect(checkTwice().filter(({ isOpen }) => isOpen)).toEqual([]);
});

test('the home that the hooks have anyway, and variables that do not affect ours, are not reported', () => {
	const settings = { env: { OVERTONE_HOME: '/home/me/.overtone', FORCE_COLOR: '1', MY_PATH: 'a', HOMEPAGE: 'b' } };
	expect(checkForeign([{ path: 'a', settings }], '/home/me/.overtone')).toEqual([]);
	const env = { PATH: 'a', NODE_OPTIONS: 'b', BASH_ENV: 'c', CLAUDE_PID: '1', SIGNALBOX_HOLD_SECONDS: '0' };
	expect(checkForeign([{ path: 'a', settings: { env } }], '/home/me/.overtone')).toHaveLength(5);
	const after = { hooks: { PostToolUse: [foreign('log')] } };
	expect(checkForeign([{ path: 'a', settings: after }], '/home/me/.overtone')).toEqual([]);
});
