import type { Plain } from '../messages/say.ts';
import type { GateProfile } from './gate.ts';

export const gateTitle = (id: string): string => id.replaceAll('-', ' ');

const sentences: Readonly<Record<string, Plain>> = {
	'routing-plan': 'Sub-agents must be in the plan',
	'routing-enforcer': 'Planned work is left to sub-agents',
	'stage-guard': 'No stage of a workflow is skipped',
	loop: 'Agents go on while stages or tasks are open',
	'routing-completion': 'Agents go on while the plan has open tasks',
	'agent-router': 'A prompt with a task file gets a plan',
	supervisor: 'A second agent reviews stops and questions',
	'spawn-validator': 'Large tasks are broken down first',
	'completion-validator': 'A completed task names what follows',
	'command-policy': 'Commands that must not run',
};

/** What a gate is for. A timeline may name any gate, `constructor` included. */
export const gateSentence = (id: string): string =>
	(Object.hasOwn(sentences, id) ? sentences[id] : undefined) ?? gateTitle(id);

/** Completes "if it cannot judge, ...". */
export const profileWords: Readonly<Record<GateProfile, Plain>> = {
	open: 'the call goes on and the person is told why',
	closed: 'the call is denied',
	supervisor: 'the call is denied, and unreadable input is an error that the agent is shown',
};
