import { expect, test } from 'vitest';
import { createLocalHints, createWriteHints, readHeadHint } from './hints.ts';

test('a hint reaches all subscribers of its topic until they stop; one that fails keeps no other from it', () => {
	const failures: unknown[] = [];
	const hints = createLocalHints((error) => void failures.push(error));
	const heard: unknown[] = [];
	hints.listen('list', () => {
		throw new Error('broken');
	});
	const stop = hints.listen('list', (body) => heard.push(['list', body]));
	hints.listen('edge:3', (body) => heard.push(['edge:3', body]));
	hints.send('list', 'more');
	hints.send('edge:3');
	hints.send('people');
	expect(heard).toEqual([
		['list', 'more'],
		['edge:3', undefined],
	]);
	expect(failures).toHaveLength(1);
	expect(hints.state()).toMatchObject({ up: true, sent: 3, topics: 2 });
	stop();
	hints.send('list');
	expect(heard).toHaveLength(2);
});

test('a replica’s writes are announced by session, and once for all lines of the list that change together', async () => {
	const hints = createLocalHints(() => undefined);
	const writeHints = createWriteHints(hints);
	const epoch = crypto.randomUUID();
	const batch = (name: string, seq: number) =>
		({ sessionId: name, epoch, view: { seq } }) as Parameters<typeof writeHints.noteWritten>[0];
	const session: (string | undefined)[] = [];
	hints.listen('s:1/a', (body) => session.push(body));
	const listed = new Promise<string | undefined>((resolve) => hints.listen('list', resolve));
	writeHints.noteWritten(batch('1/a', 1), true);
	writeHints.noteWritten(batch('1/a', 2), true);
	writeHints.noteWritten(batch('1/b', 7), true);
	writeHints.noteWritten(batch('1/c', 9), false);
	expect(readHeadHint(session.at(-1))).toEqual([{ name: '1/a', epoch, seq: 2 }]);
	expect(readHeadHint(await listed)).toEqual([
		{ name: '1/a', epoch, seq: 2 },
		{ name: '1/b', epoch, seq: 7 },
	]);
	for (const text of [undefined, '', '12', '1/a 2', `1/a 2 ${epoch}\nnonsense`, `../etc 2 ${epoch}`])
		expect(readHeadHint(text)).toBeUndefined();
	writeHints.stop();
});
