import { defineGate } from '../gate.ts';

export const SUPERVISOR_GATE = 'supervisor';
export const REVIEW_RULE = 'supervisor.review';
export const REVIEW_FAILED_RULE = 'supervisor.review-failed';

export const supervisor = defineGate({
	id: SUPERVISOR_GATE,
	setting: 'supervisor',
	at: ['turn-end', 'call'],
	deeds: ['ask-person'],
	start: { where: '`signalbox supervisor on` was run for the session' },
	profile: 'supervisor',
	basis: { guidance: 'The reviewer reads what the agent wrote, and its switch is a file that the agent can write.' },
	mayHold: 'if-asked',
	settings: ['supervisor.maxIterations', 'supervisor.timeoutSeconds'],
	seed: '004',
	denies: {
		[REVIEW_RULE]: 'stopping, or asking the person, while the reviewer sees something left to do',
		[REVIEW_FAILED_RULE]: 'stopping, or asking the person, when the review failed',
	},
	judgedBy: 'by-reviewer',
});
