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
