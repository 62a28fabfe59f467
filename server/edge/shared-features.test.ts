import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { createLog } from '../process/log.ts';
import { type FeaturesRig, openFeatures } from '../testing/features-rig.ts';
import { createSharedFeatures } from './shared-features.ts';
import { createSharedSessions } from './shared-sessions.ts';

const share = { projects: 'all', content: 'all' } as const;

let rig: FeaturesRig;
const logged: string[] = [];
beforeEach(async () => {
	logged.length = 0;
	rig = await openFeatures();
});
afterEach(async () => {
	await rig.close();
	rig.remove();
});

async function archive(feature: string): Promise<string> {
	const sessionId = `of-${feature}`;
	rig.say(sessionId, 'session:start', { cwd: rig.project, project: 'p' });
	newFeature(rig.project, feature, rig, { workflow: 'quick', tasks: ['DEV'], sessionId });
	rig.say(sessionId, 'session:end', { reason: 'exit' });
	const outcome = archiveFeature(rig.project, feature, { ...rig, sessions: [], append: rig.ports.append });
	if (!outcome.ok) throw new Error(outcome.detail);
	await rig.whenSettled();
	return outcome.id;
}

const open = () => {
	const log = createLog((line) => logged.push(line));
	return createSharedFeatures(rig.home, share, createSharedSessions(rig.home, share), rig.now, log);
};

test('an archive that no hub would accept is not announced, which the log says once, and keeps no other from being announced', async () => {
	const id = await archive('cart');
	cpSync(archivePath(rig.home, id), archivePath(rig.home, `${id}-copy`), { recursive: true });
	const features = open();
	const listed = (await features.listChanged()).map((each) => each.id);
	await features.listChanged();
	expect(listed).toEqual([id]);
	expect(logged).toHaveLength(1);
	expect(logged[0]).toContain(`archive="${id}-copy" reason="its sheet: another feature"`);
});

test('a feature whose documents are elsewhere when its sheet is requested is announced again', async () => {
	// More than are remembered.
	for (const feature of ['a', 'b', 'c', 'd', 'e']) await archive(feature);
	const features = open();
	const [listed] = await features.listChanged();
	// Its project is at another branch now.
	renameSync(join(rig.project, 'specs'), join(rig.project, 'elsewhere'));
	expect(await features.read(listed?.id ?? '', listed?.sheet ?? '')).toBeUndefined();
	const again = (await features.listChanged()).find(({ id }) => id === listed?.id);
	expect(again?.sheet).not.toBe(listed?.sheet);
	expect(String(await features.read(listed?.id ?? '', again?.sheet ?? ''))).toContain('"feature"');
});
