import type { DecisionCommand } from '#lib/contract/hub/hub-commands.ts';
import { sealCommand } from '#server/hub-protocol/signatures.ts';
import { EDGE, origin, startEdgeRig } from '#server/testing/edge-rig.ts';
import { operator } from '#server/testing/service-rig.ts';
import { type Draw, drawFrom, oneOf } from './hostile-frames.ts';

const kind = 'decision';
/** So many come while one call waits. */
const A_CALL = 500;
const ODD = ['', 'x', 'a'.repeat(64), 'A'.repeat(32), '__proto__', '../x', -1, 0, 2 ** 53, null, [], {}, true] as const;

/**
 * Sends a machine so many approvals of a call that waits, each spoilt: a byte changed after the hub has signed it, or another
 * value, signed again, for what binds it to this call. `released` must be 0.
 */
export async function spoilCommands({ seed, count }: { seed: number; count: number }) {
	const draw = drawFrom(seed);
	const rig = await startEdgeRig();
	const at = rig.edge();
	let released = 0;
	for (let n = 1; n <= count; ) {
		const call = await rig.waiting();
		const good = rig.commandFor(at, call.id);
		for (const end = Math.min(count, n + A_CALL - 1); n <= end; n += 1) {
			const envelope = spoil(draw, good, rig.hub.privateKey);
			if ((await at.take({ n, kind, envelope })).state === 'done') released += 1;
		}
		released += rig.ends(call.id).length;
		await rig.service.decide(call.id, { decision: 'deny' }, operator);
		await call.answer;
	}
	await rig.stop();
	return { sent: count, released };
}

function spoil(draw: Draw, good: DecisionCommand, privateKey: string): string {
	const seal = (command: object) => sealCommand({ origin, edge: EDGE, kind }, command, privateKey);
	if (draw(2) === 0) {
		const field = oneOf(draw, ['v', 'edge', 'ticket', 'digest', 'nonce']);
		return seal({ ...good, [field]: oneOf(draw, ODD) });
	}
	const envelope = seal(good);
	const index = draw(envelope.length);
	const other = String.fromCharCode((envelope.charCodeAt(index) % 94) + 33);
	return `${envelope.slice(0, index)}${other}${envelope.slice(index + 1)}`;
}
