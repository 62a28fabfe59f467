import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../testing/scripted-model.ts';
import { operator } from '../../testing/service-rig.ts';
import { startValidators, type ValidatorsRig } from '../../testing/validators-rig.ts';
import { sessionReadsOf } from '../../timeline/store/index-store.ts';
import { createSubtaskService } from './subtask-service.ts';

const rigs: ValidatorsRig[] = [];
afterEach(async () => {
	for (const rig of rigs.splice(0)) await rig.stop();
});

const flags = { integrationPoints: [], hasMultipleSteps: true, requiresCoordination: true };
const evidence = { filesCount: 9, functionsEstimate: null, linesEstimate: null, ...flags };
const suggestedSubtasks = ['Write the form', 'Plan it', '- [x] Test\nit'];
const script = ({ text }: ModelRequest) =>
	text.includes('You rate the complexity')
		? { json: { rating: 'complex', evidence, reasoning: 'big' } }
		: { json: { required: true, reasoning: 'big', suggestedSubtasks, integrationConsiderations: [] } };

async function assessed() {
	const rig = await startValidators({ script: [script] });
	rigs.push(rig);
	const tool_input = { subagent_type: 'developer', description: 'Build it', prompt: 'all' };
	const start = { hook_event_name: 'SessionStart', source: 'startup' };
	await rig.sendHooks(start);
	await rig.hook({ hook_event_name: 'PreToolUse', tool_name: 'Agent', tool_input, tool_use_id: 't1' });
	await rig.tail.whenRead();
	const service = createSubtaskService({
		reads: sessionReadsOf(rig.index),
		viewOf: rig.tail.viewOf,
		journal: rig.journal,
		ports: rig.ports,
	});
	return { rig, service, assessmentId: rig.ofType('validator:assessment')[0]?.id ?? '' };
}

function withFeature(rig: ValidatorsRig): string {
	const path = join(rig.project, 'specs/features/in-progress/user-login/tasks.md');
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, '## Tasks\n\n- [x] Plan it\n');
	const id = 'w1';
	const ts = new Date().toISOString();
	const fields = { workflowType: 'quick', featureName: 'user-login', sessionId: 's1' };
	const event = { id, ts, type: 'workflow:start', category: 'workflow', label: 'Workflow started', ...fields };
	rig.ports.append('s1', [event]);
	return path;
}

test('suggested subtasks become open boxes of the session’s feature, once, journaled and recorded', async () => {
	const { rig, service, assessmentId } = await assessed();
	const path = withFeature(rig);
	await rig.tail.whenRead();
	const added = ['Write the form', '- [x] Test it'];
	expect(await service.create('s1', assessmentId, operator)).toEqual({ feature: 'user-login', added });
	expect(readFileSync(path, 'utf8')).toBe('## Tasks\n\n- [x] Plan it\n- [ ] Write the form\n- [ ] - [x] Test it\n');
	expect(rig.ofType('validator:subtasks')).toMatchObject([
		{ assessmentId, featureName: 'user-login', subtasks: added },
	]);
	const [row] = rig.journal.byKind(['setting:change'], { limit: 1 });
	expect(row?.payload).toMatchObject({ setting: 'subtasks', assessmentId, by: operator });
	expect(await service.create('s1', assessmentId, operator)).toEqual({ feature: 'user-login', added: [] });
	expect(rig.ofType('validator:subtasks')).toHaveLength(1);
});

test('without a feature, an assessment or a session it is refused with what to do', async () => {
	const { rig, service, assessmentId } = await assessed();
	const code = (session: string, id: string) => service.create(session, id, operator).catch((error) => error.code);
	expect(await code('s1', assessmentId)).toBe('subtasks/no-feature');
	expect(await code('s1', 'nope')).toBe('subtasks/none');
	expect(await code('s2', assessmentId)).toBe('session/not-found');
	expect(rig.journal.byKind(['setting:change'], { limit: 1 })).toEqual([]);
});
