import { approvalHoldSeconds, isObserved } from '#hooks-bridge/engine/facts.ts';
import { release } from '#hooks-bridge/engine/release.ts';
import { createAlarmService } from '../approvals/alarms/alarm-service.ts';
import { createApprovalService } from '../approvals/approval-service.ts';
import { openGivenDenials } from '../approvals/given-denials.ts';
import { createGrantService } from '../approvals/grants/grant-service.ts';
import { createOutbox } from '../approvals/outbox.ts';
import { pairPrompt } from '../approvals/permission-watch.ts';
import type { Presence } from '../approvals/presence.ts';
import { createCompareService } from '../archives/compare/compare-service.ts';
import { createFeatures } from '../archives/features/feature-service.ts';
import { createArchivedLedger } from '../archives/ledger/archived-ledger.ts';
import { createNoteService } from '../archives/notes/note-service.ts';
import { createRejudgeService } from '../archives/rejudge/rejudge-service.ts';
import { createSettingsService } from '../archives/rejudge/settings-service.ts';
import { createReplay } from '../archives/replay/recording-store.ts';
import { createRetention } from '../archives/retention/retention.ts';
import { LOCK_WAIT_MS } from '../door/turn-timelines.ts';
import type { Log } from '../process/log.ts';
import { createSupervisorControl } from '../reviewers/supervisor/supervisor-control.ts';
import { createAssessor } from '../reviewers/validators/assess.ts';
import { createAssessmentTickets } from '../reviewers/validators/assessment-tickets.ts';
import { createSubtaskService } from '../reviewers/validators/subtask-service.ts';
import { proofIn } from '../timeline/tail/line-event.ts';
import type { ServerBase } from './open-base.ts';

/** Everything at which people decide about calls, or act on sessions and features. Nothing is started. */
export function createServices(
	{ home, journal, index, reads, tail, llm, ports, publishPoke }: ServerBase,
	options: { presence: () => Presence; forcedHoldSeconds: number | null; log: Log },
) {
	const { presence, forcedHoldSeconds, log } = options;
	const { viewOf } = tail;
	const outbox = createOutbox({ journal, ports, publishPoke, log });
	const grants = createGrantService({ journal, outbox, ports, release, log });
	const approvals = createApprovalService({
		journal,
		outbox,
		grants,
		ports,
		release,
		holdSeconds: (held) => approvalHoldSeconds(held, ports),
		observes: (held) => isObserved(held, ports),
		callOfPrompt: (held) => pairPrompt(held, { viewOf, index }),
		presence,
		givenDenials: openGivenDenials(home),
		forcedHoldSeconds,
		log,
	});
	const assessor = createAssessor({ ...llm, reads, viewOf, ports });
	const replay = createReplay({ home, journal, log });
	const onKept = replay.recordings.prepare;
	const features = createFeatures({ home, tail, ports, journal, now: Date.now, log, onKept });
	const retention = createRetention({
		world: { home, journal, now: Date.now, projectRootOf: ports.projectRootOf },
		whenKept: features.copier.whenSettled,
		log,
	});
	return {
		notes: createNoteService({ outbox, journal, isKnown: (sessionId) => viewOf(sessionId) !== undefined }),
		alarms: createAlarmService({ outbox, viewOf, now: Date.now }),
		approvals,
		grants,
		assessments: createAssessmentTickets({ service: approvals, assessor, ports, log }),
		subtasks: createSubtaskService({ reads, viewOf, journal, ports }),
		comparisons: createCompareService({ home, proofOf: proofIn(journal), now: Date.now }),
		archived: createArchivedLedger({ home, proofOf: proofIn(journal), now: Date.now, log }),
		features,
		retention,
		replay,
		rejudge: createRejudgeService({ index, views: tail.views, ports }),
		settings: createSettingsService({ home, journal, projects: features.service.projects }),
		supervisors: createSupervisorControl({ ports, journal, viewOf, env: process.env, lockWaitMs: LOCK_WAIT_MS }),
	};
}
