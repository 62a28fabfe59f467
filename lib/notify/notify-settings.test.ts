import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAuditSettings } from '../audit/audit-settings.ts';
import { emptyView } from '../session/fold.ts';
import { anyText } from '../text/testing/any-text.ts';
import { parseBotCommand } from './bot-command.ts';
import { notificationOf } from './notification.ts';
import { isQuiet, readNotifySettings, wantsEvent } from './notify-settings.ts';

const HOOK = { kind: 'webhook', url: 'https://example.org/hook' };

test('a channel takes the common events unless it has its own', () => {
	const read = readNotifySettings(
		{ notify: { events: ['error:fatal'], channels: { a: HOOK, b: { ...HOOK, events: ['workflow:*'] } } } },
		{},
	);
	expect(read.problems).toEqual([]);
	expect(read.channels.map(({ name, events }) => [name, events])).toEqual([
		['a', ['error:fatal']],
		['b', ['workflow:*']],
	]);
});

test('what does not fit is left out and named by its place, never by its value', () => {
	const bad = { kind: 'webhook', url: 'ftp://user:secret@example.org' };
	const { channels, problems } = readNotifySettings(
		{ notify: { channels: { good: HOOK, bad, odd: { kind: 'pigeon' }, more: { ...HOOK, events: ['no:such'] } } } },
		{},
	);
	expect(channels.map(({ name }) => name)).toEqual(['good']);
	expect(problems).toHaveLength(3);
	expect(problems.join()).toContain('notify.channels.bad.url');
	expect(problems.join()).not.toContain('secret');
});

test('flat keys mean the same as nested ones', () => {
	const nested = { notify: { events: ['error:fatal'], channels: { a: HOOK, b: { ...HOOK, events: ['workflow:*'] } } } };
	const flat = {
		'notify.events': ['error:fatal'],
		notify: { events: ['workflow:*'], channels: { a: { kind: 'webhook', url: 'https://example.org/old' } } },
		'notify.channels.b': { ...HOOK, events: ['workflow:*'] },
		'notify.channels.a.url': HOOK.url,
	};
	expect(readNotifySettings(flat, {})).toEqual(readNotifySettings(nested, {}));
	const anchor = { kind: 'git', repository: '/srv/notes' };
	expect(readAuditSettings({ 'audit.anchors.notes': anchor })).toEqual({
		anchors: [{ ...anchor, name: 'notes' }],
		problems: [],
	});
});

test.each([
	[{ notify: 'https://example.org' }, 'notify: is written {"channels": {"team": {"kind": "webhook"'],
	[{ notify: { channels: [HOOK] } }, 'notify.channels: is an object, a name of your own for each'],
	[{ 'notify.channels': { team: HOOK.url } }, 'notify.channels.team: is an object whose kind is "webhook", "ntfy"'],
	[{ 'notify.channels.team': { kind: 'slack' } }, 'notify.channels.team.kind: is an object whose kind is "webhook"'],
])('an invalid setting is reported with what to write: %j', (config, problem) => {
	expect(readNotifySettings(config, {}).problems.join()).toContain(problem);
});

test('keys that name parts of every object are names like any other', () => {
	const given = JSON.parse('{"notify.__proto__.channels":{"a":1},"notify.constructor.x":2}');
	const problems = ['__proto__', 'constructor'].map((name) => `notify.${name} is no setting; it is ignored`);
	expect(readNotifySettings(given, {})).toEqual({ ...readNotifySettings({}, {}), problems });
});

test('any settings at all are read without a throw', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (notify) => {
			expect(Array.isArray(readNotifySettings({ notify }, {}).channels)).toBe(true);
		}),
	);
});

test('the two variables of the seed are a channel by themselves', () => {
	const env = { TELEGRAM_BOT_TOKEN: '1:abc', TELEGRAM_CHAT_ID: '12, -34' };
	expect(readNotifySettings({}, env).channels).toMatchObject([{ kind: 'telegram', chats: ['12', '-34'] }]);
	expect(readNotifySettings({}, { TELEGRAM_BOT_TOKEN: '1:abc' }).channels).toEqual([]);
	expect(readNotifySettings({}, { ...env, TELEGRAM_CHAT_ID: '@name' }).problems.join()).toContain('TELEGRAM_CHAT_ID');
});

test('R652 a pattern names one type or all of a kind', () => {
	expect(wantsEvent(['workflow:*'], 'workflow:abort')).toBe(true);
	expect(wantsEvent(['workflow:*'], 'stage:start')).toBe(false);
	expect(wantsEvent(['stage:start'], 'stage:start')).toBe(true);
});

test('quiet hours may pass midnight', () => {
	const night = { from: '22:00', to: '07:00' };
	expect([21 * 60 + 59, 22 * 60, 0, 6 * 60 + 59, 7 * 60].map((minute) => isQuiet(night, minute))).toEqual([
		false,
		true,
		true,
		true,
		false,
	]);
	expect(isQuiet({ from: '12:00', to: '13:00' }, 12 * 60)).toBe(true);
	expect(isQuiet(undefined, 0)).toBe(false);
});

test('what agents wrote is one printable, bounded line', () => {
	fc.assert(
		fc.property(anyText({ maxLength: 3000 }), (reason) => {
			const event = { id: 'e1', ts: '2026-01-01T00:00:00.000Z', sessionId: 's1', seq: 1, label: '', category: 'error' };
			const view = { ...emptyView('s1'), project: reason };
			const { title, body } = notificationOf({ ...event, type: 'error:fatal', reason }, view, 'http://x');
			expect(title.length).toBeLessThanOrEqual(120);
			expect(body.length).toBeLessThanOrEqual(500);
			expect(`${title}${body}`).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
		}),
	);
});

test('R657 commands are read with or without the name of the bot', () => {
	expect(parseBotCommand('/stop@signal_bot 3f2a')).toEqual({ name: 'stop', sessionId: '3f2a' });
	expect(parseBotCommand(' /STATUS ')).toEqual({ name: 'status', sessionId: undefined });
	expect(parseBotCommand('/start')).toEqual({ name: 'help' });
	expect(parseBotCommand('stop it')).toBeNull();
	expect(parseBotCommand('/approve 1')).toBeNull();
});

test('the message of a waiting approval links to its own card, whatever its id', () => {
	const request = { approvalId: 'a&b#1', tool: 'Bash', input: {}, inputDigest: 'd', denials: [] };
	const event = { id: 'e1', ts: '2026-01-01T00:00:00.000Z', sessionId: 's1', seq: 1, label: '', category: 'approval' };
	const deadline = '2026-01-01T00:01:00.000Z';
	const notification = notificationOf(
		{ ...event, ...request, deadline, type: 'approval:request' },
		emptyView('s1'),
		'http://x',
	);
	expect(notification.url).toBe('http://x/approvals?card=a%26b%231');
});
