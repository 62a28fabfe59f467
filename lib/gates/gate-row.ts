import type { AgentHook, HookPoint } from '../agents/agent-hook.ts';
import type { DeedKind } from '../agents/tool-call.ts';
import type { DraftEvent } from '../contract/events/draft-event.ts';
import type { Facts, Fingerprint, Verdict } from './gate.ts';
import type { GateContext, GateSettings } from './gate-context.ts';

/** What a hook entry prints when nothing can be judged (DESIGN 5), as far as gates differ in it. */
export type GateProfile = 'open' | 'closed' | 'supervisor';

/**
 * One gate, whole: where it is asked, what it looks at, what it says, and how it is switched, held and known again.
 * Settings, installer, engine, documents and the rules page read this row and nothing else of the gate.
 */
export interface GateRow<F extends object = object> {
	/** Its name in verdicts, denials and approvals; with blanks for hyphens its name for people. */
	id: string;
	/** Its settings are `gates.<setting>.enabled` and, where its denial may wait, `gates.<setting>.hold`. */
	setting: string;
	/** The points of an agent's work at which it is asked. */
	at: readonly HookPoint[];
	/** The deeds that it judges; empty where it judges no call of a tool. */
	deeds: readonly DeedKind[];
	/** Whether it judges while `enabled` is not set: always, never, or where something else says so, in words. */
	start: 'on' | 'off' | { where: string };
	/** What becomes of a call that cannot be judged. */
	profile: GateProfile;
	/**
	 * How far it holds against an agent that wants around it. A guard judges by the call alone and by what the server
	 * watches; guidance judges by what the agent itself can write or say, and says what that is in one sentence.
	 */
	rests: 'guard' | { guidance: string };
	/** Whether its denial may wait for a person; `if-asked`: only where `gates.<setting>.hold` is true. */
	mayHold: boolean | 'if-asked';
	/** Settings of its own beside `enabled` and `hold`, by their whole path. */
	settings: readonly string[];
	/** The seed that it comes from. */
	seed: string;
	/** What each rule that can deny forbids. */
	denies: Readonly<Record<string, string>>;
	/** What later calls must share with a denied one to be the same question; absent: no grant can override it. */
	fingerprint?(facts: Facts): Fingerprint | null;
	/** Who judges: these functions, a model behind a validator, a reviewer in the hook's process, or nobody: it only guides. */
	judged: Judging<F> | 'by-model' | 'by-reviewer' | 'guides';
}

/** How a gate judges by itself. */
export interface Judging<F extends object = object> {
	/** What it looks at, kept with the verdict; null where it has nothing to say of this hook. */
	facts(hook: AgentHook, world: GateContext): F | null;
	/** What it says of these facts alone, today or later of recorded ones. Pure. */
	judge(facts: F): Verdict;
	/** What the agent reads with its denial; else its reason. */
	directive?(facts: F): string;
	/** What the person at the terminal sees when it denies a call; else its reason. */
	message?(facts: F): string;
	/** Whether its denial ends the agent's turn. */
	endsTurn?(settings: GateSettings): boolean;
	/** Whether its pass allows the call without the client's own prompt (DESIGN 5), with words for the person or none. */
	allows?(verdict: Verdict): { message?: string } | null;
	/** What is told beside its denial. */
	tells?(facts: F): DraftEvent[];
	/** Why it cannot judge although nothing speaks against the call: then its profile answers. */
	blind?(settings: GateSettings): string | undefined;
}

/** A gate's row; the type of its facts stays between its own functions. */
export function defineGate<S extends string, F extends object = object>(
	row: GateRow<F> & { setting: S },
): GateRow & { setting: S } {
	return row;
}
