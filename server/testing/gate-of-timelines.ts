import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Role } from '#lib/contract/access/access.ts';
import type { ApiOptions } from '../pages/api/api.ts';
import { createTailFeed } from '../pages/realtime/tail-feed.ts';
import { sessionReadsOf } from '../timeline/store/index-store.ts';
import { openGate } from './gate-fixture.ts';
import { asLine, createTimelineRig } from './timeline-rig.ts';

/**
 * Asks a path of the real API, over the real index of these sessions' lines, with other parts in the place of those that
 * `changes` names; all gone after the test. For tests.
 */
export async function openGateOf(
	timelines: Readonly<Record<string, readonly object[]>>,
	changes: Pick<Partial<ApiOptions>, 'archived'> = {},
) {
	const rig = createTimelineRig();
	for (const [sessionId, lines] of Object.entries(timelines)) rig.append(sessionId, lines.map(asLine).join(''));
	const { index, tail, stop } = await rig.start();
	const gate = await openGate({
		reads: sessionReadsOf(index),
		feed: createTailFeed({ index, tail, now: Date.now }),
		tail,
		...changes,
	});
	onTestFinished(async () => {
		await gate.close();
		await stop();
		rmSync(rig.home, { recursive: true });
	});
	return (path: string, role: Role = 'viewer') =>
		gate.request('GET', path, { authorization: `Bearer ${gate.tokens[role]}` });
}
