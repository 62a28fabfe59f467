import { expect, test } from 'vitest';
import { EnvironmentError, readEnvironment } from './env.ts';

test('an empty environment gives the documented defaults', () => {
	expect(readEnvironment({ OVERTONE_HOME: '', SIGNALBOX_PORT: '' })).toMatchObject({
		port: 7777,
		holdSeconds: null,
		dev: false,
	});
	expect(readEnvironment({}).home).toMatch(/\/\.overtone$/);
});

test('values are read', () => {
	const read = readEnvironment({
		OVERTONE_HOME: '/x/../y',
		SIGNALBOX_PORT: '80',
		SIGNALBOX_HOLD_SECONDS: '0',
		NODE_ENV: 'development',
	});
	expect(read).toMatchObject({ home: '/y', port: 80, holdSeconds: 0, dev: true });
});

test('every variable that does not fit is named with its value, a URL and a token without it', () => {
	const read = () =>
		readEnvironment({
			SIGNALBOX_PORT: '70000',
			SIGNALBOX_HOLD_SECONDS: 'two',
			SIGNALBOX_DATABASE_URL: 'mysql://user:secret@host',
			SIGNALBOX_METRICS_TOKEN: 'secret',
		});
	expect(read).toThrow(EnvironmentError);
	expect(read).toThrow(/SIGNALBOX_PORT must be between 1 and 65535, but it is "70000"/);
	expect(read).toThrow(/SIGNALBOX_HOLD_SECONDS must be a whole number, but it is "two"/);
	expect(read).toThrow(/SIGNALBOX_DATABASE_URL must start with postgres:\/\/$/m);
	expect(read).toThrow(/SIGNALBOX_METRICS_TOKEN must have at least 16 characters$/m);
	expect(read).not.toThrow(/secret/);
});
