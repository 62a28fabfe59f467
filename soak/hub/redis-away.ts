import { once } from 'node:events';
import { hubNameOf } from '#lib/ids/session-name.ts';
import { storyOf } from '#server/hub/testing/hub-rig.ts';
import type { ReplicaFixture } from './replica-fixture.ts';

/** An event is sent so often, and each replica is asked so often whether its event loop turns. */
const EVERY_MS = 100;

/**
 * Redis is away: killed, so that connections are refused, or halted (`isHalted`), so that they stand and nothing answers.
 * Events are told throughout, and a viewer watches on another replica than the one that takes them, or on the same one.
 */
export async function keepRedisAway(
	fixture: ReplicaFixture,
	{ awayMs, isHalted }: { awayMs: number; isHalted: boolean },
): Promise<Record<string, number>> {
	const [machine] = fixture.machines;
	if (!machine) throw new Error('There is no machine.');
	const sessionId = isHalted ? 'halted' : 'killed';
	const name = hubNameOf({ edge: machine.edge, sessionId });
	const lines = storyOf(sessionId, Math.ceil(awayMs / EVERY_MS))
		.toString('utf8')
		.split(/(?<=\n)(?=\n)/);
	const signedIn = await fixture.signIn();
	const viewers = fixture.replicas.map((_, at) => fixture.watch(at, signedIn, [name]));
	const seqs = () => viewers.map((viewer) => viewer.stateOf(name).view?.seq ?? 0);
	let written = 0;
	let longestSilenceMs = 0;
	let longestGapMs = 0;
	let moved = performance.now();
	let before = 0;

	/** How long a replica takes to answer: its event loop turns no more slowly. */
	async function ask(at: number) {
		const child = fixture.replicas[at];
		if (!child) return;
		const begun = performance.now();
		const answer = once(child, 'message');
		child.send('turn');
		await answer;
		longestSilenceMs = Math.max(longestSilenceMs, performance.now() - begun);
	}
	async function writeNext() {
		machine?.tell(sessionId, lines[written] ?? '');
		written += 1;
		await Promise.all(fixture.replicas.map((_, at) => ask(at)));
		await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
		const least = Math.min(...seqs());
		if (least > before) {
			longestGapMs = Math.max(longestGapMs, performance.now() - moved);
			moved = performance.now();
		}
		before = Math.max(least, before);
	}

	while (Math.min(...seqs()) < 5) await writeNext();
	if (isHalted) fixture.redis.halt();
	else await fixture.redis.crash();
	longestGapMs = 0;
	const begun = performance.now();
	while (performance.now() - begun < awayMs && written < lines.length) await writeNext();
	if (isHalted) fixture.redis.goOn();
	else await fixture.redis.start();
	const sent = written;
	const patience = performance.now() + 30_000;
	while (Math.min(...seqs()) < sent && performance.now() < patience)
		await new Promise((resolve) => setTimeout(resolve, 20));
	const lost = sent - Math.min(...seqs());
	for (const viewer of viewers) viewer.stop();
	return {
		...{ 'away ms': Math.round(performance.now() - begun), events: sent, lost, fallen: fixture.fallen.length },
		'longest pause of a viewer ms': Math.round(longestGapMs),
		'longest silence of a replica ms': Math.round(longestSilenceMs),
	};
}
