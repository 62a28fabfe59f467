import { expect, test } from 'vitest';
import { withProgramName } from './with-program-name.ts';

const typed = (message: string) => withProgramName(message, 'node $& dist/signalbox.js');

test.each([
	['run `signalbox init`', 'run `node $& dist/signalbox.js init`'],
	['Usage: signalbox COMMAND [OPTIONS]', 'Usage: node $& dist/signalbox.js COMMAND [OPTIONS]'],
	['“signalbox --help”, signalbox open', '“node $& dist/signalbox.js --help”, node $& dist/signalbox.js open'],
])('our command is named as it is typed: %s', (message, expected) => {
	expect(typed(message)).toBe(expected);
});

test.each(['/opt/signalbox init', 'the folder signalbox', 'http://signalbox.localhost:7777', 'my-signalbox open'])(
	'similar text stays unchanged: %s',
	(message) => {
		expect(typed(message)).toBe(message);
	},
);

test('a hub’s own program says `hub` once', () => {
	const both = 'Run `signalbox hub doctor` or `signalbox open`.';
	expect(withProgramName(both, 'npx signalbox hub')).toBe(
		'Run `npx signalbox hub doctor` or `npx signalbox hub open`.',
	);
	expect(typed(both)).toBe('Run `node $& dist/signalbox.js hub doctor` or `node $& dist/signalbox.js open`.');
});
