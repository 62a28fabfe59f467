import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hookEntries, isOurHandler, registerEvents } from './hook-entries.ts';
import { mergeSettings, SettingsRefused, unmergeSettings } from './merge-settings.ts';
import { readSettings } from './settings-shape.ts';

const wanted = hookEntries(120);
const path = '/p/.claude/settings.json';
const merge = (text: string) => mergeSettings(text, path, wanted);
const unmerge = (text: string, before?: string) => unmergeSettings(text, path, before, wanted);

const foreignHandler = fc.oneof(
	fc.record({ type: fc.constant('command' as const), command: fc.string() }),
	fc.record({ type: fc.constant('command' as const), command: fc.string(), timeout: fc.integer({ min: 1, max: 600 }) }),
	fc.record({ type: fc.constant('http' as const), url: fc.webUrl() }),
);
const foreignGroup = fc.oneof(
	fc.record({ matcher: fc.string(), hooks: fc.array(foreignHandler, { maxLength: 3 }) }),
	fc.record({ hooks: fc.array(foreignHandler, { maxLength: 2 }) }),
);
const key = fc.oneof(
	fc.constantFrom('permissions', 'env2', 'model', '0', 'a"b\\', 'ключ'),
	fc.string().filter((name) => !['hooks', 'env', 'enabledPlugins', 'disableAllHooks', '__proto__'].includes(name)),
);
const event = fc.oneof(fc.constantFrom(...Object.keys(registerEvents()), 'WorktreeCreate'), fc.constant('NewEvent'));
const settings = fc
	.record({
		front: fc.dictionary(key, fc.jsonValue(), { maxKeys: 3 }),
		hooks: fc.option(fc.dictionary(event, fc.array(foreignGroup, { maxLength: 3 }), { maxKeys: 4 })),
		back: fc.dictionary(key, fc.jsonValue(), { maxKeys: 3 }),
	})
	.map(({ front, hooks, back }) => ({ ...front, ...(hooks && { hooks }), ...back }));
const text = fc
	.tuple(settings, fc.constantFrom(undefined, 2, 4, '\t'), fc.constantFrom('', '\n'), fc.boolean())
	.map(([value, indent, end, windows]) => {
		const printed = JSON.stringify(value, null, indent) + end;
		return windows ? printed.replaceAll('\n', '\r\n') : printed;
	});

describe('merging into a settings file', () => {
	test('R230 merge, then remove: the same content without the first text, the same bytes with it', () => {
		fc.assert(
			fc.property(text, (before) => {
				const merged = merge(before);
				expect(unmerge(merged, before)).toBe(before);
				const emptied = readSettings(before);
				const stripped = JSON.parse(unmerge(merged)) as Record<string, unknown>;
				if (emptied.ok && Object.values(emptied.settings.hooks ?? { x: [1] }).every((list) => list.length > 0)) {
					expect(JSON.stringify({ hooks: {}, ...stripped })).toBe(JSON.stringify({ hooks: {}, ...JSON.parse(before) }));
				}
			}),
			{ numRuns: 40 },
		);
	});

	test('merging again changes nothing, and the result is what the client accepts', () => {
		fc.assert(
			fc.property(text, (before) => {
				const merged = merge(before);
				expect(merge(merged)).toBe(merged);
				expect(readSettings(merged).ok).toBe(true);
				const { hooks } = JSON.parse(merged) as { hooks: Record<string, { hooks: unknown[] }[]> };
				for (const name of Object.keys(registerEvents())) {
					expect(hooks[name]?.flatMap((group) => group.hooks.filter(isOurHandler))).toHaveLength(1);
				}
			}),
			{ numRuns: 40 },
		);
	});

	test('R232 every line of other people stays byte for byte, in its order', () => {
		const before = `{
    "model":  "opus",
    "permissions": { "allow": ["Bash(npm *)",   "Read"], "deny": [] },
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [ {"type":"command", "command":"./check.sh"} ] }
        ],
        "Stop": []
    },
    "x": 1.50
}
`;
		const merged = merge(before);
		let at = 0;
		for (const line of before.split('\n').filter((part) => !/[\]}],?$/.test(part.trim()) && part !== '')) {
			const found = merged.indexOf(line, at);
			expect(found, line).toBeGreaterThanOrEqual(0);
			at = found + line.length;
		}
		expect(merged).toContain(
			'            { "matcher": "Bash", "hooks": [ {"type":"command", "command":"./check.sh"} ] },\n            {',
		);
		expect(unmerge(merged, before)).toBe(before);
	});

	test('entries of an old version are replaced, in the same list, and events it no longer has are dropped', () => {
		const old = { type: 'command', command: '"$HOME/.overtone/bin/hook.sh" old', timeout: 5 };
		const mine = { type: 'command', command: 'mine.sh' };
		const before = JSON.stringify({
			hooks: {
				PreToolUse: [{ matcher: '*', hooks: [old] }, { hooks: [mine, old] }],
				WorktreeCreate: [{ hooks: [old] }],
				Stop: [{ hooks: [old] }],
			},
		});
		const { hooks } = JSON.parse(merge(before)) as { hooks: Record<string, unknown> };
		expect(hooks.PreToolUse).toEqual([{ hooks: [mine] }, ...(wanted.PreToolUse ?? [])]);
		expect(hooks.Stop).toEqual(wanted.Stop);
		expect(hooks).not.toHaveProperty('WorktreeCreate');
	});

	test.each([
		['not JSON', '{"hooks": {'],
		['a list', '[]'],
		['comments', '{ // mine\n}'],
		['an entry without a command', '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}}'],
		['an entry without hooks', '{"hooks":{"Stop":[{"type":"command","command":"x"}]}}'],
		['an event that is no list', '{"hooks":{"Stop":{}}}'],
		['a byte order mark', '\ufeff{}'],
	])('a file that the client would drop is refused, with the place: %s', (_what, before) => {
		expect(() => merge(before)).toThrow(SettingsRefused);
		expect(() => merge(before)).toThrow(path);
	});

	test('the position of a fault is reported without the escapes that a hostile file may put into its keys', () => {
		const hostile = JSON.stringify({ hooks: { '\u001b[2JStop': {} } });
		expect(() => merge(hostile)).toThrow('hooks.Stop');
		expect(() => merge('{"\u001b[2J')).toThrow(/^\P{Cc}*$/u);
	});

	test('every entry has a timeout and none is async; a call may wait 30 seconds less than its entry lives', () => {
		for (const [name, groups] of Object.entries(wanted)) {
			const [
				{
					hooks: [handler],
				} = { hooks: [] },
				...others
			] = groups;
			expect(others).toEqual([]);
			if (!handler) throw new Error(`${name} has no handler`);
			expect(Object.keys(handler).sort()).toEqual(['command', 'timeout', 'type']);
			const holds = name === 'PreToolUse' || name === 'PermissionRequest';
			expect(handler.timeout).toBe(holds ? 150 : 15);
			expect(handler.command).toMatch(new RegExp(` (observe|open) ${handler.timeout}$`));
		}
		expect(Object.keys(wanted)).toHaveLength(31);
		expect(wanted).not.toHaveProperty('WorktreeCreate');
		expect(wanted).not.toHaveProperty('WorktreeRemove');
	});

	test('an event list or hooks object that was empty before stays when something else has changed since', () => {
		const before = '{"hooks": {"Stop": []}, "a": 1}';
		const edited = merge(before).replace('"a": 1', '"a": 2');
		expect(JSON.parse(unmerge(edited, before))).toEqual({ hooks: { Stop: [] }, a: 2 });
		expect(JSON.parse(unmerge(merge('{"a": 1}').replace('1', '2'), '{"a": 1}'))).toEqual({ a: 2 });
	});
});
