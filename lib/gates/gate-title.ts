import type { Plain } from '../messages/say.ts';

/** A gate's name for people, from its name in verdicts. */
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

/** What a gate wants, in a sentence; the name of a gate of another version. */
export const gateSentence = (id: string): string => sentences[id] ?? gateTitle(id);
