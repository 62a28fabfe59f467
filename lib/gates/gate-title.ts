import type { Plain } from '../messages/say.ts';
import type { GateProfile } from './gate.ts';
import type { GateId } from './gate-table.ts';

export const gateTitle = (id: string): string => id.replaceAll('-', ' ');

/** Each is a message, so that it has its Chinese in `lib/messages/chinese/guard.ts`. */
const sentences: Readonly<Record<GateId, Plain>> = {
	'routing-plan': 'Sub-agents must be in the plan',
	'routing-enforcer': 'Planned work is left to sub-agents',
	'stage-guard': 'No stage of a workflow is skipped',
	loop: 'No stop before the workflow is done',
	'routing-completion': 'No stop before the routing plan is done',
	'agent-router': 'A prompt with a task file gets a plan',
	supervisor: 'A second agent reviews stops and questions',
	'spawn-validator': 'Large tasks are broken down first',
	'completion-validator': 'A completed task names what follows',
	'command-policy': 'Commands that must not run',
};

/** What a gate is for. A timeline may name any gate, `constructor` included. */
export const gateSentence = (id: string): string =>
	Object.hasOwn(sentences, id) ? sentences[id as GateId] : gateTitle(id);

const explanations: Readonly<Record<GateId, Plain>> = {
	'routing-plan': 'A sub-agent that the active plan does not expect is not started.',
	'routing-enforcer': 'While the plan has open tasks, the main agent does not do them.',
	'stage-guard': 'An agent that would skip a required stage is not started.',
	loop: 'An agent that stops while a stage or task is open is sent back to work.',
	'routing-completion': 'An agent that stops while its plan has open tasks is sent back to work.',
	'agent-router': 'The agent is told to plan the tasks of the file before it begins.',
	supervisor: 'It sends the agent back while something is left to do.',
	'spawn-validator': 'A sub-agent whose task a model finds too large is not started.',
	'completion-validator': 'A task is not completed while others are open and none of them follows.',
	'command-policy': 'A shell command that would run a program of your list is denied.',
};

/** What happens when a gate judges, in a sentence below its title; null for a gate of another version. */
export const gateExplanation = (id: string): Plain | null =>
	Object.hasOwn(explanations, id) ? explanations[id as GateId] : null;

/** Completes "if it cannot judge, ...". */
export const profileWords: Readonly<Record<GateProfile, Plain>> = {
	open: 'the call goes on and the person is told why',
	closed: 'the call is denied',
	supervisor: 'the call is denied, and unreadable input is an error that the agent is shown',
};
