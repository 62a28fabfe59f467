import { COMPLETION_VALIDATOR_GATE, SPAWN_GATE } from '../../contract/events/event-labels.ts';
import { defineGate, type Facts, type Fingerprint, isName, MODEL_READS_THE_AGENT } from '../gate.ts';

/** Without the prompt, which may be reworded. */
function spawnFingerprint({ project, agent, subject }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(agent) || !isName(subject)) return null;
	return {
		key: JSON.stringify([SPAWN_GATE, project, agent, subject]),
		words: `agent ${agent} for "${subject}" in project ${project}`,
	};
}

function completionFingerprint({ project, subject }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(subject)) return null;
	return {
		key: JSON.stringify([COMPLETION_VALIDATOR_GATE, project, subject]),
		words: `completing "${subject}" in project ${project}`,
	};
}

export const spawnValidator = defineGate({
	id: SPAWN_GATE,
	setting: 'spawnValidator',
	at: ['call'],
	deeds: ['start-agent', 'run-shell'],
	start: 'off',
	profile: 'open',
	basis: MODEL_READS_THE_AGENT,
	mayHold: true,
	settings: ['llm.provider', 'llm.model'],
	seed: '002',
	denies: {
		'spawn.needs-breakdown': 'a sub-agent for a task that, as a model judges, must be broken down first',
		'spawn.unknown-parent': 'a sub-agent that names an unknown parent task',
	},
	fingerprint: spawnFingerprint,
	judgedBy: 'by-model',
});

export const completionValidator = defineGate({
	id: COMPLETION_VALIDATOR_GATE,
	setting: 'completionValidator',
	at: ['call', 'task-end'],
	deeds: ['complete-task', 'update-todos', 'edit-file'],
	start: 'on',
	profile: 'open',
	basis: MODEL_READS_THE_AGENT,
	mayHold: true,
	settings: ['llm.provider', 'llm.model'],
	seed: '002',
	denies: {
		'completion.no-logical-next': 'completing a task while others remain and a model finds that none of them follows',
	},
	fingerprint: completionFingerprint,
	judgedBy: 'by-model',
});
