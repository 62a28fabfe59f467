import { expect, test } from 'vitest';
import { forProject } from './project-settings.ts';

test.each([
	['run `signalbox init`', '/src/shop', 'run `signalbox init --project /src/shop`'],
	['run `signalbox init --plugin`, then', '/my $& shop', "run `signalbox init --plugin --project '/my $& shop'`, then"],
	['`signalbox doctor --project /a`', '/src/shop', '`signalbox doctor --project /a`'],
	['`signalbox open` signs in', '/src/shop', '`signalbox open` signs in'],
])('a line to copy names the project that it is for: %s', (message, project, expected) => {
	expect(forProject(message, project)).toBe(expected);
	expect(forProject(message, project, '/elsewhere')).toBe(expected);
	expect(forProject(message, project, project)).toBe(message);
});
