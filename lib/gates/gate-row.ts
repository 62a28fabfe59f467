import type { Facts, Fingerprint } from './gate.ts';

/** What a hook entry prints when nothing can be judged (DESIGN 5), as far as gates differ in it. */
export type GateProfile = 'open' | 'closed' | 'supervisor';

/** One gate as everybody but the judge sees it: installer, settings, documents and the rules page. */
export interface GateRow {
	/** Its name in verdicts, denials and approvals. */
	id: string;
	/** Its name in words, without a capital. */
	title: string;
	/** Its settings are `gates.<setting>.enabled` and, where its denial may wait, `gates.<setting>.hold`. */
	setting: string;
	/** The hook events at which it may speak. */
	hooks: readonly string[];
	/** The tools that it judges; empty where it judges no call of a tool. */
	tools: readonly string[];
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
	fingerprint?: (facts: Facts) => Fingerprint | null;
}
