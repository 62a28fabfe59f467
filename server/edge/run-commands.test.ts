import { expect, test } from 'vitest';
import { type CommandAddress, makeKey, openCommand, sealCommand } from '../hub-protocol/signatures.ts';
import { createLog } from '../process/log.ts';
import { createCommandRunner, refusal } from './run-commands.ts';

const hub = makeKey();
const address: CommandAddress = { origin: 'https://hub.example', edge: 7, kind: 'decision' };
const sealed = sealCommand(address, { said: 'this' }, hub.privateKey);

function runner(key: string | undefined = hub.publicKey) {
	const done: unknown[] = [];
	const lines: string[] = [];
	const { runOnce } = createCommandRunner({
		...{ edge: 7, origin: 'https://hub.example', key, log: createLog((line) => void lines.push(line)) },
		handlers: {
			async decision(body) {
				done.push(body);
				return { state: 'done', journal: done.length };
			},
			broken: () => Promise.reject(new Error('no')),
		},
	});
	return { runOnce, done, lines };
}

test('R2045 a command is done once, whatever often it comes, and its answer is the same', async () => {
	const { runOnce, done } = runner();
	const command = { n: 3, kind: 'decision', envelope: sealed };
	const first = runOnce(command);
	expect([await first, await runOnce(command)]).toEqual(Array(2).fill({ n: 3, state: 'done', journal: 1 }));
	expect(done).toEqual([{ said: 'this' }]);
});

test.each([
	['is not signed', JSON.stringify({ body: '{}', sig: 'A'.repeat(86) })],
	['is signed by another key', sealCommand(address, {}, makeKey().privateKey)],
	['is for another edge', sealCommand({ ...address, edge: 8 }, {}, hub.privateKey)],
	['is for an edge of another hub', sealCommand({ ...address, origin: 'https://other.example' }, {}, hub.privateKey)],
	['was signed as another kind', sealCommand({ ...address, kind: 'policy' }, {}, hub.privateKey)],
	['says something else than what was signed', sealed.replace('this', 'that')],
	['is no envelope', '[]'],
])('R2046 a command that %s is refused and does nothing', async (_what, envelope) => {
	const { runOnce, done } = runner();
	expect(await runOnce({ n: 1, kind: 'decision', envelope })).toEqual({ n: 1, ...refusal('command/signature') });
	expect(done).toEqual([]);
});

test('R2046 an unknown kind, one that nobody can have sent, and one that fails are refused, and the next is done', async () => {
	const { runOnce, done, lines } = runner();
	const sealedAs = (kind: string) => sealCommand({ ...address, kind }, {}, hub.privateKey);
	const answers = ['newer', 'constructor', 'broken', 'decision'].map((kind, n) =>
		runOnce({ n: n + 1, kind, envelope: sealedAs(kind) }),
	);
	expect((await Promise.all(answers)).map(({ why }) => why)).toEqual([
		...['command/unknown', 'command/unknown', 'command/failed', undefined],
	]);
	expect(done).toEqual([{}]);
	expect(lines.filter((line) => line.includes('error'))).toHaveLength(1);
	const deaf = createCommandRunner({
		...{ edge: 7, origin: address.origin, key: undefined, log: createLog(() => undefined) },
		handlers: { decision: async () => ({ state: 'done', journal: 1 }) },
	});
	expect(await deaf.runOnce({ n: 1, kind: 'decision', envelope: sealed })).toMatchObject({ why: 'command/signature' });
});

test('R2046 what was sealed is read as it was', () => {
	expect(openCommand(address, sealed, hub.publicKey)).toEqual({ said: 'this' });
});
