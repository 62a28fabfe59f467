import { defineGate } from '../gate.ts';

export const agentRouter = defineGate({
	id: 'agent-router',
	setting: 'agentRouter',
	at: ['prompt'],
	deeds: [],
	start: 'on',
	profile: 'open',
	basis: { guidance: 'It only says what to do, and the task file that it reads is one that the agent can write.' },
	mayHold: false,
	settings: [],
	seed: '000',
	denies: {},
	judgedBy: 'guides',
});
