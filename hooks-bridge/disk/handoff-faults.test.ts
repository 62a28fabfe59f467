import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeWorkflowRig, SESSION, type WorkflowRig } from '../testing/workflow-rig.ts';

/** What the disk refuses: half of a handoff is written, then this is thrown. */
const disk = vi.hoisted(() => ({ code: '' }));
vi.mock('node:fs', async (original) => {
	const fs = await original<typeof import('node:fs')>();
	const writeFileSync: typeof fs.writeFileSync = (path, content, options) => {
		if (disk.code === '' || !String(path).includes('/handoffs/')) return fs.writeFileSync(path, content, options);
		fs.writeFileSync(path, String(content).slice(0, 20), options);
		throw Object.assign(new Error(`${disk.code}: the disk refused`), { code: disk.code });
	};
	return { ...fs, writeFileSync };
});

let rig: WorkflowRig;
beforeEach(() => {
	rig = makeWorkflowRig();
});
afterEach(() => {
	disk.code = '';
	rig.remove();
});

test.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])(
	'R2370 %s: a handoff that the disk refuses is recorded as not done, leaves no half of it, and the workflow continues',
	(code) => {
		rig.hook('UserPromptSubmit', { prompt: 'Go.' });
		rig.start('standard');
		disk.code = code;
		const { ended } = rig.runAgent('planner');
		expect(JSON.stringify(ended.output ?? '')).not.toContain('"block"');
		expect(rig.types()).not.toContain('handoff:create');
		expect(rig.types()).toContain('stage:complete');
		const warnings = rig.recorded().filter(({ type }) => type === 'system:warning');
		expect(warnings).toMatchObject([{ message: expect.stringContaining(code) }]);
		const path = join(rig.home, 'sessions', SESSION, 'handoffs/planner-to-architect.md');
		expect(existsSync(path)).toBe(false);
		disk.code = '';
		rig.runAgent('architect');
		expect(rig.types().filter((type) => type === 'handoff:create')).toHaveLength(1);
	},
);
