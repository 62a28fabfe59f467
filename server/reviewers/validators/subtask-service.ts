import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { addTasks } from '#hooks-bridge/features/tasks-document.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { isKnown, typeFields } from '#lib/contract/events/event-labels.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { CreatedSubtasks } from '#lib/contract/sessions/session-actions.ts';
import { isFeatureName } from '#lib/features/feature-name.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';

const TYPE = 'validator:subtasks';

/** Adds the subtasks that a validator suggested to the feature's tasks.md, once a person asks for it. */
export function createSubtaskService(options: {
	reads: Pick<SessionReads, 'events'>;
	viewOf: (sessionId: string) => SessionView | undefined;
	journal: Pick<JournalStore, 'append'>;
	ports: Ports;
}) {
	const { reads, viewOf, journal, ports } = options;
	const suggestionsOf = async (sessionId: string, assessmentId: string): Promise<string[]> => {
		const [event] = await reads.events(sessionId, { after: 0, limit: 1, row: `event:${assessmentId}` });
		const isAssessment = event && isKnown(event) && event.type === 'validator:assessment';
		const subtasks = isAssessment ? (event.breakdown?.suggestedSubtasks ?? []) : [];
		if (subtasks.length === 0) throw new AppError('subtasks/none');
		return subtasks;
	};

	return {
		/** Adds suggested subtasks to tasks.md once, after a row in the journal. Throws `session/not-found`, `subtasks/...`. */
		async create(sessionId: string, assessmentId: string, by: Decider): Promise<CreatedSubtasks> {
			const view = viewOf(sessionId);
			if (!view) throw new AppError('session/not-found');
			const subtasks = await suggestionsOf(sessionId, assessmentId);
			const feature = view.workflow?.featureName;
			const root = view.cwd === undefined ? '' : ports.projectRootOf(view.cwd);
			if (root === '' || !isFeatureName(feature)) throw new AppError('subtasks/no-feature');
			const id = randomUUID();
			const payload = { setting: 'subtasks', assessmentId, feature, subtasks, by };
			await journal.append({ id, kind: 'setting:change', subject: `session:${sessionId}`, sessionId, payload });
			const added = addTasks(root, join(root, stateFolder('in-progress'), feature), subtasks);
			if (added === null) throw new AppError('subtasks/no-feature');
			if (added.length > 0) {
				const ts = new Date(ports.now()).toISOString();
				const envelope = { id, ts, ...typeFields(TYPE), sessionId };
				ports.append(sessionId, [{ ...envelope, assessmentId, featureName: feature, subtasks: added }]);
			}
			return { feature, added };
		},
	};
}

export type SubtaskService = ReturnType<typeof createSubtaskService>;
