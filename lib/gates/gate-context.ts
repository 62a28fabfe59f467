import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import type { PlanRest } from '../routing/plan-progress.ts';
import type { PlanParse } from '../routing/routing-state.ts';

/** What was found where the plan should be; null means that there is no plan. */
export type PlanRead = PlanParse | null;

/** The file of a program: its real path, and the SHA-256 of its content. */
export interface ProgramFile {
	path: string;
	digest: string;
}

/** What a gate may ask of the world beside the hook. Each is fetched when it is first asked for, once a hook. */
export interface GateContext {
	/** The project's folder; empty where none is known. */
	project: string;
	/** Where a command would run; empty where the client did not say. */
	cwd: string;
	settings: GateSettings;
	/** The routing plan beside the project. */
	plan(): PlanRead;
	/** The session's workflow, if it has one. */
	workflow(): WorkflowState | null;
	/** Whether commands can be run in the sandbox on this machine. */
	canSandbox(): boolean;
	/** The file of a program, by a path or by the PATH; null where there is none that can be read. */
	programFile(word: string): ProgramFile | null;
	/** vibe-engine repairs something by itself right now. */
	isRepairing(): boolean;
	/** What is open of the session's workflow and its feature at the end of a turn; null where none runs. */
	loop(): LoopFacts | null;
	/** What is open of a plan that is carried through; null where there is none. */
	planRest(): CompletionFacts | null;
}

/** The settings that gates go by (DESIGN 7). */
export interface GateSettings {
	/** The switches of each gate, by its name in `gates.<name>`. */
	gates: Readonly<Record<string, GateSwitch | undefined>>;
	/** `stop` ends the agent's turn (seed 000 to the letter), `deny` lets the model read the reason. */
	onMismatch: 'stop' | 'deny';
	/** Commands that must not run (seed 003); `unread`: why there may be patterns that nobody could read. */
	commands: { exclude: readonly string[]; unknown?: 'ask'; enforce?: 'sandbox'; unread?: string };
}

/** What the settings say of one gate. */
export interface GateSwitch {
	/** Whether it judges; undefined where that is the matter of something else (`start.where` of its row). */
	enabled?: boolean;
	/** Whether a person may be asked before its denial is given. */
	hold: boolean;
}

/** What the loop looks at when the main agent wants to stop: kept with the verdict. */
export interface LoopFacts {
	workflowType: string;
	createdAt: string;
	iteration: number;
	stopped: boolean;
	/** A person paused the workflow. */
	paused: boolean;
	consecutiveErrors: number;
	/** A limit of bad results was reached: a person must decide. */
	fatal: string | null;
	/** Agents that still run behind the turn. */
	running: number;
	/** Stages that are not completed, in order. */
	openStages: string[];
	/** Stages that ended badly. */
	failedStages: string[];
	/** Open boxes of the feature, the first ones. */
	openBoxes: string[];
	boxesDone: number;
	boxesTotal: number;
	stagesDone: number;
	stagesTotal: number;
	/** What to do about the open stages. */
	nextStep: string | null;
	/** How a person ends the loop. */
	stopWith: string;
}

/** What the gate looks at when the main agent wants to stop. */
export interface CompletionFacts extends PlanRest {
	/** Sub-agents that still work behind the turn. */
	running: number;
	/** The agent said that the plan is complete, in the words that vibe-engine asks for. */
	declared: boolean;
}
