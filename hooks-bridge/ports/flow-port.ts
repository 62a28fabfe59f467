import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import type { TaskProgress } from '#lib/features/tasks-file.ts';
import type { LoopState } from '#lib/workflow/loop-fold.ts';

/** A state file that another program changed: it is accepted, and the change is recorded as an event. */
export interface AdoptedFile {
	file: 'workflow.json' | 'loop.json';
	state: Record<string, unknown>;
}

/** A session's workflow and loop, folded to the end of its timeline. */
export interface Flow {
	workflow: WorkflowState | null;
	loop: LoopState | null;
	/** Edits to record first; empty unless a state file has content that we did not write. */
	adopted: AdoptedFile[];
	/** False if the lock was not free in time: events are appended anyway, the checkpoint heals later. */
	locked: boolean;
}

/** The workflow of a session, as far as decisions read it. */
export interface FlowReads {
	has(sessionId: string): boolean;
	/**
	 * Whether the start of an agent was recorded, by its id; true if no start of any agent was, since a set of hooks may lack
	 * those. Reads the whole timeline.
	 */
	hasStarted(sessionId: string, agentId: string): boolean;
	/** The current states, without the lock and without recording edits. */
	read(sessionId: string): Flow;
}

/** The state files of a session: checkpoints of folds over its timeline. */
export interface FlowPort extends FlowReads {
	/** Runs `work`, which appends events, under the session's lock, then writes checkpoints. Not for project files. */
	locked<T>(sessionId: string, work: (flow: Flow) => T): T;
}

/** The progress of a feature's tasks. `message` is for the agent: done of total, the first open boxes; null if none is open. */
export interface FeatureTasks extends TaskProgress {
	feature: string;
	message: string | null;
}

/** A project's features, as far as decisions read them. */
export interface FeatureReads {
	/** The named feature's tasks while it is in progress; without a name, the first feature's. Null if there is none. */
	tasks(project: string, feature?: string): FeatureTasks | null;
}

/** A project's features, as far as a workflow needs them. Effects on the project: never under a session's lock. */
export interface FeaturePort extends FeatureReads {
	/** Ticks the open box with exactly this text; false if there is none. */
	tick(project: string, feature: string, label: string): boolean;
	/** Moves the feature to in-progress and records that (`specs:init`, `specs:resume`). */
	open(project: string, feature: string, start: FeatureOpening): FeatureDone;
	/** Archives the feature and records it (`specs:archive`). */
	archive(project: string, feature: string, sessionId: string): FeatureDone;
}

/** The initial content of a new feature's tasks.md. */
export interface FeatureOpening {
	workflow: string;
	tasks: readonly string[];
	sessionId: string;
}

/** Where a feature is now, relative to the project, or why nothing was done. */
export type FeatureDone = { ok: true; path: string } | { ok: false; detail: string };

/** The files of a session, as far as decisions read them. */
export interface SessionFileReads {
	handoffs(sessionId: string): string;
	habits(sessionId: string): Observation[];
	/** The observations of other sessions, newest session first. */
	othersHabits(sessionId: string): Observation[];
}

/** The files of a session beside its timeline and its state. */
export interface SessionFilesPort extends SessionFileReads {
	prepare(sessionId: string): void;
	/** Writes `handoffs/<name>.md`, or `<name>-2.md` and so on: none is ever replaced. Returns its path in the session. */
	writeHandoff(sessionId: string, name: string, text: string): string;
	/** Changes the session's observations under their lock; null leaves them. False without the lock: a server does it later. */
	observe(sessionId: string, change: (known: Observation[]) => Observation[] | null): boolean;
}
