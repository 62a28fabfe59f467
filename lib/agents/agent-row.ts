import type { HookPoint } from './agent-hook.ts';
import type { DeedKind } from './tool-call.ts';

/** What a client lets a hook do, as seen with the real one. */
export interface AgentCapabilities {
	/** A denied call does not run, and the model reads why. */
	deny: boolean;
	/** A hook can have the person at the terminal asked. */
	ask: boolean;
	/** A hook can let a call run without the client's own prompt. */
	allow: boolean;
	/** A hook can change a call's input. */
	edit: boolean;
	/** A hook can change a call's input and leave the client's own prompt to its person. */
	rewrites: boolean;
	/** A hook that answers the client's own permission prompt can change the call's input, too. */
	editPrompt: boolean;
	/** A denial can end the agent's turn. */
	stop: boolean;
	/** How long its client was seen to wait for a hook, in seconds. */
	holdSeconds: number;
	/** The client waits for no hook longer than this, in seconds, whatever its entry says. */
	longestSeconds?: number;
	/** What becomes of a call whose hook fails: `as-entry-says` where a fail-closed entry was seen to keep its word. */
	onFailure: 'runs' | 'as-entry-says';
	/** What becomes of a call whose fail-closed entry is itself killed. */
	onKill: 'runs' | 'denied';
	/** The supervisor's reviewer can be forked from its sessions. */
	reviews: boolean;
	/** Each call has an id of the client's own. */
	callIds: boolean;
	/** A hook is asked before the client's own permission prompt and can answer it. */
	prompts: boolean;
	/** How sub-agents are told: with events of their own, or as no more than the call that starts them; `none`: it has none. */
	subAgents: 'events' | 'call' | 'none';
}

/** One make of agent, as everybody but its adapter sees it. */
export interface AgentRow {
	/** Its name in commands, addresses and events. */
	name: string;
	/** Its name for people. */
	title: string;
	/** What it was seen with: versions of the real client, or documents alone, which doctor, documents and pages say. */
	seen: { run: string } | { read: string };
	/** Its names of the tools whose calls mean something to gates, by what they do. Compared exactly. */
	tools: Readonly<Partial<Record<DeedKind, readonly string[]>>>;
	/** Its names of the events at which gates are asked. */
	events: Readonly<Partial<Record<HookPoint, string>>>;
	can: AgentCapabilities;
}
