import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import type { TaskProgress } from '#lib/features/tasks-file.ts';
import type { LoopState } from '#lib/workflow/loop-fold.ts';

/** A state file that somebody else changed: it counts, and the change is recorded as an event. */
export interface AdoptedFile {
	file: 'workflow.json' | 'loop.json';
	state: Record<string, unknown>;
}

/** A session's workflow and loop, folded to the end of its timeline. */
export interface Flow {
	workflow: WorkflowState | null;
	loop: LoopState | null;
	/** Edits to tell first; empty unless a state file holds what we did not write. */
	adopted: AdoptedFile[];
	/** False when the lock was not had in time: events are appended all the same, the checkpoint heals later. */
	locked: boolean;
}

/** The workflow of a session, as far as deciding looks at it. */
export interface FlowReads {
	/** Whether the session has a workflow.json: one look at the file system. */
	has(sessionId: string): boolean;
	/**
	 * Whether the start of an agent was recorded, by its id; also if no start of any agent was, since a set of hooks may
	 * lack those. Reads the whole timeline.
	 */
	hasStarted(sessionId: string, agentId: string): boolean;
	/** The states as they are now, without the lock and without telling edits. */
	read(sessionId: string): Flow;
}

/** The state files of a session: checkpoints of folds over its timeline (DESIGN 1). */
export interface FlowPort extends FlowReads {
	/**
	 * Does `work`, which appends what it decided, while holding the session's lock, and then writes the checkpoints.
	 * Not for project files: their reads and writes belong before or after.
	 */
	locked<T>(sessionId: string, work: (flow: Flow) => T): T;
}

/** How far a feature's tasks are; `message` is for the agent, null when nothing is open. */
export interface FeatureTasks extends TaskProgress {
	feature: string;
	message: string | null;
}

/** A project's features, as far as deciding looks at them. */
export interface FeatureReads {
	/** The named feature's tasks while it is in progress; without a name, the first feature's. Null when there is none. */
	tasks(project: string, feature?: string): FeatureTasks | null;
}

/** A project's features, as far as a workflow needs them. Effects on the project: never under a session's lock. */
export interface FeaturePort extends FeatureReads {
	/** Ticks the open box with exactly this text; false when there is none. */
	tick(project: string, feature: string, label: string): boolean;
	/** Has the feature in progress and tells what that took (`specs:init`, `specs:resume`). */
	open(project: string, feature: string, start: FeatureOpening): FeatureDone;
	/** Archives the feature and tells it (`specs:archive`). */
	archive(project: string, feature: string, sessionId: string): FeatureDone;
}

/** What a new feature's tasks.md begins with. */
export interface FeatureOpening {
	workflow: string;
	tasks: readonly string[];
	sessionId: string;
}

/** Where a feature is now, relative to the project, or why nothing was done. */
export type FeatureDone = { ok: true; path: string } | { ok: false; detail: string };

/** The files of a session, as far as deciding looks at them. */
export interface SessionFileReads {
	/** The folder of the session's handoffs, for whoever reads them again. */
	handoffs(sessionId: string): string;
	/** What the session has observed. */
	habits(sessionId: string): Observation[];
	/** What the sessions that observed something last have observed, without this one; the newest first. */
	othersHabits(sessionId: string): Observation[];
}

/** The files of a session beside its timeline and its state. */
export interface SessionFilesPort extends SessionFileReads {
	/** Makes the session's folders. */
	prepare(sessionId: string): void;
	/** Writes `handoffs/<name>.md`, or `<name>-2.md` and so on: none is ever replaced. Gives its path in the session. */
	writeHandoff(sessionId: string, name: string, text: string): string;
	/** Changes the session's observations under their lock; null from `change` leaves them. False when not had in time: a server does it later. */
	observe(sessionId: string, change: (known: Observation[]) => Observation[] | null): boolean;
}
