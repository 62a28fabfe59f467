import { type Facts, type Fingerprint, isName } from '../gates/gate.ts';

/** The names of the validators' gates in verdicts. */
export const SPAWN_GATE = 'spawn-validator';
export const COMPLETION_VALIDATOR_GATE = 'completion-validator';

/** Project, agent and the description of the call; its prompt may be written anew. */
export function spawnFingerprint({ project, agent, subject }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(agent) || !isName(subject)) return null;
	return {
		key: JSON.stringify([SPAWN_GATE, project, agent, subject]),
		words: `agent ${agent} for "${subject}" in project ${project}`,
	};
}

/** Project and the words of the task that is completed. */
export function completionFingerprint({ project, subject }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(subject)) return null;
	return {
		key: JSON.stringify([COMPLETION_VALIDATOR_GATE, project, subject]),
		words: `completing "${subject}" in project ${project}`,
	};
}
