/*
 * What the agent itself can write or say, in one sentence each: gates that judge by it are guidance.
 */

export const PLAN_IS_A_FILE = { guidance: 'The routing plan is a file of the project, and the agent can write it.' };
export const PLAN_BINDS = {
	guidance:
		'The routing plan is a file of the project, which the agent can write; one that denied something binds until a person prompts, even when it is taken away.',
};
export const STAGES_ARE_TOLD = {
	guidance:
		'Stages end by what hooks report and boxes are lines of a file, and the agent can forge the one and tick the other.',
};
export const MODEL_READS_THE_AGENT = { guidance: 'A model judges by what the agent says of its tasks.' };
