import { join } from 'node:path';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createDoor } from '../door/door.ts';
import { createTurnPorts } from '../door/turn-timelines.ts';
import { createLog } from '../process/log.ts';

/* The door of a home, alone in a process of its own, for tests that kill it: says `open` to its parent. */
const home = process.argv[2] ?? '';
const ports = createTurnPorts({ home });
const none = async () => null;
const over = async () => ({ kind: 'unknown' }) as const;
const door = createDoor({
	socketPath: join(home, 'bridge.sock'),
	ports,
	respond,
	together: ports.together,
	tickets: { take: none, openReview: none, closeReview: over, wait: over },
	log: createLog(),
});
await door.listen();
process.send?.('open');
