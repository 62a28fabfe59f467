import { approvalHoldSeconds, isObserved } from '#hooks-bridge/engine/project.ts';
import { release } from '#hooks-bridge/engine/release.ts';
import { createAlarmDesk } from './alarms/alarm-desk.ts';
import { createApprovalDesk } from './approvals/approval-desk.ts';
import { createOutbox } from './approvals/outbox.ts';
import { pairPrompt } from './approvals/permission-watch.ts';
import { createCompareDesk } from './compare/compare-desk.ts';
import { createFeatures } from './features/features.ts';
import { createGrantDesk } from './grants/grant-desk.ts';
import { createArchivedLedger } from './ledger/archived-ledger.ts';
import type { Log } from './log.ts';
import { createNoteDesk } from './notes/note-desk.ts';
import { LOCK_WAIT_MS, type ServerBase } from './open-base.ts';
import type { Presence } from './realtime/presence.ts';
import { createRejudgeDesk } from './rejudge/rejudge-desk.ts';
import { createSettingsDesk } from './rejudge/settings-desk.ts';
import { createReplay } from './replay/replay.ts';
import { createRetention } from './retention/retention.ts';
import { createSupervisorControl } from './supervisor/supervisor-control.ts';
import { proofIn } from './tail/journal-proof.ts';
import { createAssessor } from './validators/assess.ts';
import { createAssessmentPlace } from './validators/assessment-place.ts';
import { createSubtaskDesk } from './validators/subtask-desk.ts';

/** Everything at which people decide about calls, or act on sessions and features. Nothing is started. */
export function createDesks(
	{ home, journal, index, reads, tail, llm, ports, publishPoke }: ServerBase,
	options: { presence: () => Presence; forcedHoldSeconds: number | null; log: Log },
) {
	const { presence, forcedHoldSeconds, log } = options;
	const { viewOf } = tail;
	const outbox = createOutbox({ journal, ports, publishPoke, log });
	const grants = createGrantDesk({ journal, outbox, ports, release, log });
	const approvals = createApprovalDesk({
		journal,
		outbox,
		grants,
		ports,
		release,
		holdSeconds: (held) => approvalHoldSeconds(held, ports),
		observes: (held) => isObserved(held, ports),
		callOfPrompt: (held) => pairPrompt(held, { viewOf, index }),
		presence,
		forcedHoldSeconds,
		log,
	});
	const assessor = createAssessor({ ...llm, reads, viewOf, ports });
	const replay = createReplay({ home, journal, log });
	const onKept = replay.reels.prepare;
	const features = createFeatures({ home, tail, ports, journal, now: Date.now, log, onKept });
	const retention = createRetention({
		world: { home, journal, now: Date.now, projectRootOf: ports.projectRootOf },
		whenKept: features.keeper.whenSettled,
		log,
	});
	return {
		notes: createNoteDesk({ outbox, journal, isKnown: (sessionId) => viewOf(sessionId) !== undefined }),
		alarms: createAlarmDesk({ outbox, viewOf, now: Date.now }),
		approvals,
		grants,
		assessments: createAssessmentPlace({ desk: approvals, assessor, ports, log }),
		subtasks: createSubtaskDesk({ reads, viewOf, journal, ports }),
		comparisons: createCompareDesk({ home, proofOf: proofIn(journal), now: Date.now }),
		archived: createArchivedLedger({ home, proofOf: proofIn(journal), now: Date.now, log }),
		features,
		retention,
		replay,
		rejudge: createRejudgeDesk({ index, views: tail.views, ports }),
		settings: createSettingsDesk({ home, journal, projects: features.desk.projects }),
		supervisors: createSupervisorControl({ ports, journal, viewOf, env: process.env, lockWaitMs: LOCK_WAIT_MS }),
	};
}
