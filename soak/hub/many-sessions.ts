import { CLOSE, SESSIONS_A_FRAME } from '#lib/contract/hub/hub-wire.ts';
import { connectEdge, joinMachine, type SimulatedEdge } from '#server/hub/testing/simulated-edge.ts';
import { type Bystander, type HostileFixture, startBystander } from './hostile-edge.ts';

/** What became of a machine that pushes very many sessions. */
export interface ManySessionsEnd {
	edge: number;
	counts: { taken: number; refused: number; 'sent away': number };
	/** Words of the hub, each once. */
	reasons: Set<string>;
	bystander: Bystander;
}

/**
 * A machine pushes so many sessions, a page after the other, beside an honest machine. Each time that it is refused it
 * comes again; `accept` is an admin who accepts it again.
 */
export async function tellManySessions(
	fixture: HostileFixture & { accept: (edge: number) => Promise<unknown> },
	sessions: number,
): Promise<ManySessionsEnd> {
	const machine = await joinMachine(fixture.url, await fixture.code(), 'many');
	const bystander = await startBystander(fixture);
	const counts = { taken: 0, refused: 0, 'sent away': 0 };
	const reasons = new Set<string>();
	let edge: SimulatedEdge | undefined;
	for (let pushed = 0; pushed < sessions; ) {
		edge ??= connectEdge(fixture.url, machine);
		const ids = Array.from({ length: Math.min(SESSIONS_A_FRAME, sessions - pushed) }, (_, n) => `s${pushed + n}`);
		const current = edge;
		const opened = current.welcomed.then(() => current.open(ids)).then(() => undefined);
		const end = await Promise.race([opened, current.closed]);
		const isAnswered = !end || end.code !== CLOSE.later;
		if (isAnswered) pushed += ids.length;
		if (isAnswered) counts[end ? 'refused' : 'taken'] += ids.length;
		if (!end) continue;
		counts['sent away'] += 1;
		reasons.add(end.reason);
		await fixture.accept(machine.edge);
		edge = undefined;
	}
	edge?.stop();
	return { edge: machine.edge, counts, reasons, bystander: await bystander.stop() };
}
