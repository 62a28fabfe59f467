import { COMPLETION_VALIDATOR_GATE, SPAWN_GATE } from '../../contract/events/event-labels.ts';
import { type Facts, type Fingerprint, isName } from '../gate.ts';
import { defineGate } from '../gate-row.ts';
import { MODEL_READS_THE_AGENT } from '../guidance.ts';

/** Project, agent and the description of the call; its prompt may be written anew. */
function spawnFingerprint({ project, agent, subject }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(agent) || !isName(subject)) return null;
	return {
		key: JSON.stringify([SPAWN_GATE, project, agent, subject]),
		words: `agent ${agent} for "${subject}" in project ${project}`,
	};
}

/** Project and the words of the task that is completed. */
function completionFingerprint({ project, subject }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(subject)) return null;
	return {
		key: JSON.stringify([COMPLETION_VALIDATOR_GATE, project, subject]),
		words: `completing "${subject}" in project ${project}`,
	};
}

/** Seed 002: a model rates a task before its sub-agent starts. */
export const spawnValidator = defineGate({
	id: SPAWN_GATE,
	setting: 'spawnValidator',
	at: ['call'],
	deeds: ['start-agent', 'run-shell'],
	start: 'off',
	profile: 'open',
	rests: MODEL_READS_THE_AGENT,
	mayHold: true,
	settings: ['llm.provider', 'llm.model'],
	seed: '002',
	denies: {
		'spawn.needs-breakdown': 'a sub-agent for a task that, as a model judges, must be broken down first',
		'spawn.unknown-parent': 'a sub-agent that names an unknown parent task',
	},
	fingerprint: spawnFingerprint,
	judged: 'by-model',
});

/** Seed 002: a model names the task that follows a completed one. */
export const completionValidator = defineGate({
	id: COMPLETION_VALIDATOR_GATE,
	setting: 'completionValidator',
	at: ['call', 'task-end'],
	deeds: ['complete-task', 'update-todos', 'edit-file'],
	start: 'on',
	profile: 'open',
	rests: MODEL_READS_THE_AGENT,
	mayHold: true,
	settings: ['llm.provider', 'llm.model'],
	seed: '002',
	denies: {
		'completion.no-logical-next': 'completing a task while others remain and a model finds that none of them follows',
	},
	fingerprint: completionFingerprint,
	judged: 'by-model',
});
