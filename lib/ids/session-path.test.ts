import { expect, test } from 'vitest';
import { isHomeSession, isSessionName, readHubName } from './session-name.ts';
import { sessionPath } from './session-path.ts';

test('a session of a hub is two parts of an address, and no other text makes more than one', () => {
	expect([sessionPath('abc-1'), sessionPath('12/abc-1')]).toEqual(['abc-1', '12/abc-1']);
	expect(readHubName('12/abc-1')).toEqual({ edge: 12, sessionId: 'abc-1' });
	for (const odd of ['../x', '1/..', '1/a/b', '1/', '/a', 'x/a', '1/a b', '1/a?b', `1/${'a'.repeat(129)}`]) {
		expect(sessionPath(odd), odd).not.toMatch(/[/?]/);
		expect(isSessionName(odd), odd).toBe(false);
	}
	expect(['s', '_home', '1/s', '7/_home', '7/_homely'].map(isHomeSession)).toEqual([false, true, false, true, false]);
});
