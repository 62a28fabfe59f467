import { expect, test } from 'vitest';
import { sentence } from '../messages/sentence.ts';
import { choiceSetting, namesSetting, settingValue } from './gate-setting.ts';

const means = 'For a test.';
const loosened = sentence('commands.unknown no longer asks');

test('a project tightens a choice and never loosens it, also one that is strict by default', () => {
	for (const isStrictUnset of [false, true]) {
		const choice = choiceSetting({ path: 'gates.x.how', means, loose: 'pass', strict: 'ask', isStrictUnset, loosened });
		const unset = isStrictUnset ? 'ask' : 'pass';
		expect(choice.join(undefined, undefined)).toBe(unset);
		expect(choice.join(undefined, 'pass')).toBe(unset);
		expect(choice.join('pass', 'ask')).toBe('ask');
		expect(choice.join('ask', 'pass')).toBe('ask');
		expect(choice.join('pass', undefined)).toBe('pass');
		expect([choice.tighten('ask', 'pass'), choice.tighten('pass', 'ask')]).toEqual(['ask', 'ask']);
		expect([choice.loosened('ask', 'pass'), choice.loosened('pass', 'ask')]).toEqual([loosened, null]);
	}
	const free = choiceSetting({ path: 'gates.x.how', means, loose: 'pass', strict: 'ask', isProjectFree: true });
	expect(free.join('ask', 'pass')).toBe('pass');
});

test('names of home, project and policy add up; what is no name is left out and named', () => {
	const names = namesSetting({
		...{ path: 'gates.x.branches', means, one: 'the name of a branch', many: 'names of branches' },
		loosened: () => loosened,
	});
	const problems: string[] = [];
	expect(names.read(['main', 'a b', 3], problems)).toEqual(['main']);
	expect(names.read('main', problems)).toBeUndefined();
	expect(problems).toEqual([
		'gates.x.branches: "a b" is not the name of a branch',
		'gates.x.branches: "3" is not the name of a branch',
		'gates.x.branches must be a list of at most 200 names of branches; it is ignored',
	]);
	expect(names.join(['main'], ['next', 'main'])).toEqual(['main', 'next']);
	expect([names.isLooser(['main'], ['next']), names.isLooser(['main', 'next'], ['next'])]).toEqual([true, false]);
	expect([names.loosened(['main'], []), names.loosened([], ['main'])]).toEqual([loosened, null]);
	expect(settingValue(names, {})).toEqual([]);
	expect(settingValue(names, { values: { 'gates.x.branches': ['main'] } })).toEqual(['main']);
});
