import { expect, test } from 'vitest';
import { suggestionWords } from './fold-approval.ts';

test('a suggestion of the client is shown in words; an unknown one unchanged', () => {
	const rules = [{ toolName: 'Bash', ruleContent: 'npm test:*' }, { toolName: 'Read' }];
	expect(suggestionWords({ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' })).toBe(
		'always allow Bash(npm test:*), Read (for you in this project)',
	);
	expect(suggestionWords({ type: 'addDirectories', directories: ['/shop'], destination: 'session' })).toBe(
		'work in /shop (in this session)',
	);
	expect(suggestionWords({ type: 'setMode', mode: 'acceptEdits', destination: 'session' })).toBe(
		'permission mode acceptEdits (in this session)',
	);
	expect([suggestionWords({ type: 'other' }), suggestionWords(5)]).toEqual(['{"type":"other"}', '5']);
});
