import { expect, test } from 'vitest';
import type { CommandResult } from '#lib/contract/hub-wire.ts';
import { encodeHubFrame } from '#lib/hub/frame.ts';
import { makeKey } from './hello-proof.ts';
import { createHubLease } from './hub-lease.ts';
import { createPushConnection } from './push-connection.ts';
import type { PushParts } from './push-parts.ts';

test('R2045 a command that is done only after its connection has ended reads nothing and tells nothing over that one', async () => {
	const sent: Uint8Array[] = [];
	let isOpen = true;
	let done = (_: CommandResult): void => undefined;
	const head = () => {
		if (!isOpen) throw new Error('The journal is closed.');
		return null;
	};
	const { privateKey } = makeKey();
	const parts = {
		...{ edge: 1, origin: 'https://hub.example', version: '1', wire: 3, content: 'all', privateKey },
		shared: { all: () => [], open: () => undefined },
		journal: { head, page: () => [] },
		commands: {
			take: () =>
				new Promise<CommandResult>((resolve) => {
					done = resolve;
				}),
		},
		features: {},
		tickets: { told: () => ({ open: [] }) },
		lease: createHubLease(),
		...{ level: () => 'hub', counter: () => 1, keepCounter: () => undefined, now: Date.now },
	} as unknown as PushParts;
	const connection = createPushConnection(parts, (data) => sent.push(data));
	connection.take(encodeHubFrame('challenge', { wire: 3, nonce: 'n'.repeat(32) }));
	connection.take(encodeHubFrame('welcome', { counter: 2, journal: 0, credit: 1000, team: 'shop', name: 'hub' }));
	connection.take(encodeHubFrame('command', { n: 1, kind: 'policy', envelope: '{}' }));
	const before = sent.length;
	expect(before).toBeGreaterThan(1);
	connection.stop();
	isOpen = false;
	done({ n: 1, state: 'done', journal: 0 });
	await new Promise((resolve) => setImmediate(resolve));
	connection.tellTickets();
	expect(sent).toHaveLength(before);
});
