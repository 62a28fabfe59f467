import { join } from 'node:path';
import { createTimelinePort } from '#hooks-bridge/disk/timeline-files.ts';
import { holdSettings } from '#hooks-bridge/engine/facts.ts';
import { release } from '#hooks-bridge/engine/release.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { WantedAssessment } from '#hooks-bridge/ports/denied-call.ts';
import { createAlarmService } from '../approvals/alarms/alarm-service.ts';
import { createApprovalService } from '../approvals/approval-service.ts';
import { createGrantService } from '../approvals/grants/grant-service.ts';
import { createOutbox } from '../approvals/outbox.ts';
import { pairPrompt } from '../approvals/permission-watch.ts';
import type { Presence } from '../approvals/presence.ts';
import { openPrintedDenials } from '../approvals/printed-denials.ts';
import { createCompareService } from '../archives/compare/compare-service.ts';
import { createFeatures } from '../archives/features/feature-service.ts';
import { createArchivedLedger } from '../archives/ledger/archived-ledger.ts';
import { createNoteService } from '../archives/notes/note-service.ts';
import { createRejudgeService } from '../archives/rejudge/rejudge-service.ts';
import { createSettingsService } from '../archives/rejudge/settings-service.ts';
import { createReplay } from '../archives/replay/replay-service.ts';
import { createRetention } from '../archives/retention/retention.ts';
import type { DoorThread } from '../door/start-door-thread.ts';
import { LOCK_WAIT_MS } from '../door/turn-timelines.ts';
import { createTailFeed } from '../pages/realtime/tail-feed.ts';
import type { Log } from '../process/log.ts';
import { createConfiguredClient } from '../reviewers/llm/llm-client.ts';
import { createSupervisorControl } from '../reviewers/supervisor/supervisor-control.ts';
import { createAssessor } from '../reviewers/validators/assess.ts';
import { createAssessmentTickets } from '../reviewers/validators/assessment-tickets.ts';
import { createSubtaskService } from '../reviewers/validators/subtask-service.ts';
import { openHealingIndex } from '../timeline/store/healing-index.ts';
import { sessionReadsOf } from '../timeline/store/index-store.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { createTail } from '../timeline/tail/tail.ts';
import { proofIn } from '../timeline/tail/timeline-file.ts';
import type { Closers } from './claim-home.ts';

/** What every part needs beside the journal: index, tail, model, and the effects of hooks. Throws if a file cannot be opened. */
export function openBase(
	home: string,
	{ door, journal }: { door: DoorThread; journal: JournalStore },
	log: Log,
	closers: Closers,
) {
	const index = openHealingIndex(join(home, 'index.db'), { warn: (message) => log.warn(message) });
	closers.push(() => index.close());
	const tail = createTail({ home, index, journal, log });
	closers.push(() => tail.stop());
	const llm = createConfiguredClient(home, process.env, log);
	// This thread reads timelines; the door's thread appends to them, so that it recognises the lines as ours.
	const timelines = { ...createTimelinePort(home), append: door.append };
	const ports = {
		...createNodePorts({ home, lockWaitMs: LOCK_WAIT_MS, timelines }),
		// The completion validator names the next task by priority, which needs no model.
		mayAssess: (validator: WantedAssessment['validator']) => validator === 'completion' || llm.model() !== undefined,
	};
	closers.push(() => ports.close());
	const reads = sessionReadsOf(index);
	const feed = createTailFeed({ tail, index, now: Date.now });
	return {
		home,
		journal,
		index,
		reads,
		feed,
		tail,
		llm,
		ports,
		door,
	};
}

export type ServerBase = ReturnType<typeof openBase>;

/** The services by which people decide about calls, or act on sessions and features. Nothing is started. */
export function createServices(
	{ home, journal, index, reads, tail, llm, ports }: ServerBase,
	options: { presence: () => Presence; forcedHoldSeconds: number | null; log: Log },
) {
	const { presence, forcedHoldSeconds, log } = options;
	const { viewOf } = tail;
	const outbox = createOutbox({ journal, ports, log });
	const grants = createGrantService({ journal, outbox, ports, release, log });
	const approvals = createApprovalService({
		journal,
		outbox,
		grants,
		ports,
		release,
		...holdSettings(ports),
		callOfPrompt: (held) => pairPrompt(held, { viewOf, index }),
		presence,
		printedDenials: openPrintedDenials(home),
		forcedHoldSeconds,
		log,
	});
	const assessor = createAssessor({ ...llm, reads, viewOf, ports });
	const replay = createReplay({ home, journal, log });
	const onCopy = replay.recordings.prepare;
	const features = createFeatures({ home, tail, ports, journal, now: Date.now, log, onCopy });
	const retention = createRetention({
		ports: { home, journal, now: Date.now, projectRootOf: ports.projectRootOf },
		whenCopied: features.copier.whenSettled,
		log,
	});
	return {
		notes: createNoteService({ outbox, journal, isKnown: (sessionId) => viewOf(sessionId) !== undefined }),
		alarms: createAlarmService({ outbox, viewOf, now: Date.now }),
		approvals,
		grants,
		tickets: createAssessmentTickets({ service: approvals, assessor, ports, log }),
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
