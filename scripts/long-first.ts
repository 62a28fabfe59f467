import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that take longest, those first: one that begins last keeps all but one core idle. Size, by which vitest goes
 * on a fresh clone, does not tell.
 */
const LONGEST = [
	'server/archives/features/features.test.ts',
	'server/edge/edge-and-hub.test.ts',
	'server/approvals/approval-model.test.ts',
	'server/approvals/grants/grant-model.test.ts',
	'server/pages/api/api.test.ts',
	'server/door/reviews.test.ts',
	'server/hub/timelines/range-fold.test.ts',
	'hooks-bridge/hook/fail-closed.test.ts',
	'server/approvals/server-death.test.ts',
	'server/approvals/approval-service.test.ts',
	'hooks-bridge/supervisor/supervise.test.ts',
	'server/reviewers/validators/spawn-validator.test.ts',
	'server/timeline/store/sqlite-journal.test.ts',
	'server/archives/backup/backup.test.ts',
	'server/pages/api/ledger-routes.test.ts',
];

/** The longest files first, the others as vitest orders them. */
export class LongFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const position = ({ moduleId }: TestSpecification) => {
			const index = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
			return index === -1 ? LONGEST.length : index;
		};
		return (await super.sort(files)).sort((a, b) => position(a) - position(b));
	}
}
