import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepTemporaryOnDisk } from '#hooks-bridge/testing/temporary-on-disk.ts';
import { rememberingService } from '../../pages/api/api.ts';
import { decisionIn, hookHeaders, operator, type ServiceRig, startService } from '../../testing/service-rig.ts';

// A path below /dev is no program.
keepTemporaryOnDisk();
let rig: ServiceRig;
let calls = 0;
beforeAll(async () => {
	rig = await startService();
	writeFileSync(join(rig.home, 'config.json'), '{"commands":{"exclude":["rm"],"unknown":"ask"}}');
	mkdirSync(join(rig.project, 'tools/other'), { recursive: true });
	writeProgram('tools/deploy', 'echo one');
	copyFileSync(join(rig.project, 'tools/deploy'), join(rig.project, 'tools/other/deploy'));
});
afterAll(() => rig.stop());

function writeProgram(path: string, text: string) {
	writeFileSync(join(rig.project, path), `#!/bin/sh\n${text}\n`);
	chmodSync(join(rig.project, path), 0o755);
}

function callOf(command: string, more: object = {}) {
	calls += 1;
	return {
		...{ session_id: 's1', cwd: rig.project, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
		...{ tool_input: { command }, tool_use_id: `call-${calls}`, ...more },
	};
}
/** The answer to a command line that waits for nobody. */
const decide = async (command: string, more?: object) => {
	const { body } = await rig.post(callOf(command, more));
	return [command, decisionIn(body).decision];
};

test('R2303 an unknown program that a person remembers runs with any arguments until its file changes', async () => {
	const waits = rig.next<string>('waiting');
	const { location = '' } = await rig.post(callOf('./tools/deploy --to staging'), hookHeaders('first'));
	const answer = rig.poll(location).then(({ body }) => decisionIn(body).decision);
	const id = await waits;
	expect(rig.service.get(id)?.denials).toMatchObject([{ rule: 'command.unknown' }]);
	const service = rememberingService({ service: rig.service, grants: rig.grants }, { role: 'operator' });
	await service.decide(id, { decision: 'approve', reason: 'ours', remember: { scope: 'project' } }, operator);
	expect(await answer).toBe('allow');

	for (const line of ['./tools/deploy', './tools/deploy --to production', `${rig.project}/tools/deploy x`]) {
		expect(await decide(line)).toEqual([line, 'allow']);
	}
	expect(await decide('./tools/deploy', { session_id: 's2' })).toContain('allow');
	for (const line of [
		'ls; ./tools/deploy',
		'./tools/deploy | tee log',
		'PATH=/tmp ./tools/deploy',
		'./tools/other/deploy',
		'./tools/deploy $(rm x)',
		'sh -c ./tools/deploy',
	]) {
		expect(await decide(line)).toEqual([line, 'deny']);
	}
	const outside = { tool_input: { command: './tools/deploy', dangerouslyDisableSandbox: true } };
	expect(await decide('./tools/deploy', outside)).toContain('deny');
	writeProgram('tools/deploy', 'echo two');
	expect(await decide('./tools/deploy')).toContain('deny');
});
