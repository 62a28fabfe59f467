import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { findPlan, PLAN_PATH } from '#hooks-bridge/engine/facts.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { isActivePlan, openTasks } from '#lib/routing/routing-state.ts';
import { printable } from '#lib/text/printable.ts';
import type { Check, SetUp } from './check.ts';

/** Whether the routing plan can be read: while it cannot, no sub-agent is judged by it. Nothing where there is none. */
export function checkPlan({ project }: Pick<SetUp, 'project'>): Check[] {
	const { read } = findPlan(project, { readProjectFile: (root, relative) => readBounded(join(root, relative), root) });
	if (!read) return [];
	const name = sentence('routing plan#check');
	if (!read.ok) {
		return [
			{
				state: 'warn',
				name,
				detail: sentence('cannot be read, so sub-agents are not judged by it: {reason}', { reason: read.reason }),
				fix: sentence('mend or remove {path}', { path: join(project, PLAN_PATH) }),
			},
		];
	}
	const { plan } = read;
	if (!isActivePlan(plan)) return [{ state: 'ok', name, detail: printable(plan.status, 64) || 'without status' }];
	const open = openTasks(plan).length;
	return [{ state: 'ok', name, detail: `${open} open task${open === 1 ? '' : 's'}` }];
}
