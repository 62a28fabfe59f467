import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import {
	connectEdge,
	joinMachine,
	type SimulatedEdge,
	type SimulatedMachine,
} from '#server/hub/testing/simulated-edge.ts';
import { asLine, samplePrompt } from '#server/testing/timeline-rig.ts';
import { type Draw, drawFrom, oddFrame, oddLines } from './hostile-frames.ts';

/** A hub, and codes for it that are good once. */
export interface HostileFixture {
	url: string;
	code: () => Promise<string>;
}

/** What became of hostile frames. */
export interface HostileEnd {
	counts: { frames: number; 'sent away': number; machines: number };
	/** Words of the hub, each once. */
	reasons: Set<string>;
	bystander: Bystander;
}

/** What an honest machine told meanwhile, and for how long it waited for each (ms). */
export interface Bystander {
	edge: number;
	ids: string[];
	waitedMs: number[];
}

const CODES: ReadonlySet<number> = new Set(Object.values(CLOSE));

/** Sends so many hostile frames to a hub, beside an honest machine. Throws where one has no answer but to be taken or refused. */
export async function sendHostileFrames(fixture: HostileFixture, frames: number, seed: number): Promise<HostileEnd> {
	const draw = drawFrom(seed);
	const counts = { frames: 0, 'sent away': 0, machines: 0 };
	const reasons = new Set<string>();
	const bystander = await startBystander(fixture);
	let machine: SimulatedMachine | undefined;
	let edge: SimulatedEdge | undefined;

	/** A connection on which `s1` and `probe` are open. */
	async function connected(): Promise<SimulatedEdge> {
		for (;;) {
			if (!machine) {
				counts.machines += 1;
				machine = await joinMachine(fixture.url, await fixture.code(), `hostile-${counts.machines}`);
			}
			const made = connectEdge(fixture.url, machine);
			const gone = made.closed.then(() => 'closed' as const);
			const opened = made.welcomed.then(() => made.open(['s1', 'probe']));
			if ((await Promise.race([opened, gone])) !== 'closed') return made;
			// It is known for what it is.
			machine = undefined;
		}
	}

	while (counts.frames < frames) {
		edge ??= await connected();
		counts.frames += 1;
		attack(draw, edge, counts.frames);
		const end = await Promise.race([edge.open(['probe']), edge.closed]);
		if (!end) continue;
		counts['sent away'] += 1;
		if (!CODES.has(end.code) || end.reason === '')
			throw new Error(`An edge was sent away with ${end.code} "${end.reason}".`);
		reasons.add(end.reason.replace(/\d+/g, 'N'));
		edge = undefined;
	}
	edge?.stop();
	return { counts, reasons, bystander: await bystander.stop() };
}

function attack(draw: Draw, edge: SimulatedEdge, n: number): void {
	if (draw(3) > 0) return edge.send(oddFrame(draw));
	// In its place and of its turn: only what is in it is wrong.
	void edge.push('s1', oddLines(draw, n));
}

/** An honest machine that tells one line after the other, each once the one before is committed. */
export async function startBystander(fixture: HostileFixture): Promise<{ stop(): Promise<Bystander> }> {
	const machine = await joinMachine(fixture.url, await fixture.code(), 'bystander');
	const edge = connectEdge(fixture.url, machine);
	await edge.welcomed;
	await edge.open(['victim']);
	const ids: string[] = [];
	const waitedMs: number[] = [];
	let stopped = false;
	const telling = (async () => {
		while (!stopped) {
			const line = samplePrompt('victim', ids.length);
			const begun = performance.now();
			const end = await Promise.race([edge.push('victim', Buffer.from(asLine(line))), edge.closed]);
			if (end) throw new Error(`The honest machine was sent away: ${end.reason}`);
			waitedMs.push(performance.now() - begun);
			ids.push(line.id);
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
	})();
	return {
		async stop() {
			stopped = true;
			await telling;
			edge.stop();
			return { edge: machine.edge, ids, waitedMs };
		},
	};
}
