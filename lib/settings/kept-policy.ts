import type { PolicyBody } from './policy-settings.ts';
import type { SettingsPolicy } from './settings.ts';

/** Where a home keeps its hub's policy. Hooks read it, too, whether a server runs or not. */
export const POLICY_FILE = 'hub-policy.json';

/** A policy that was taken from a hub and holds until `expires`. */
export interface KeptPolicy extends SettingsPolicy {
	/** The hub's name. */
	hub: string;
	team: string;
	version: number;
	/** ISO. */
	expires: string;
}

/** What the file's text comes to at an instant (ms since 1970). */
export interface PolicyFound {
	/** Absent where none holds: there is none, or it has expired. */
	policy?: KeptPolicy;
	/** Why what is there cannot be used, for a person. */
	problem?: string;
}

const UNREADABLE: PolicyFound = {
	problem: `~/.overtone/${POLICY_FILE} is not as a hub's policy is kept; it is ignored`,
};

let last: { text: string; kept: KeptPolicy | null | undefined } | undefined;

/** Reads the kept policy. Total, and without a schema: hooks load it. Whoever wrote it there has checked what it says. */
export function policyInForce(text: string | undefined, now: number): PolicyFound {
	if (text === undefined) return {};
	if (last?.text !== text) last = { text, kept: readKept(text) };
	const { kept } = last;
	if (kept === undefined) return UNREADABLE;
	return kept !== null && Date.parse(kept.expires) > now ? { policy: kept } : {};
}

/** Null where it says that there is none; undefined where it says nothing that can be read. */
function readKept(text: string): KeptPolicy | null | undefined {
	try {
		const { hub, mayLoosen, signed } = JSON.parse(text);
		if (signed === null) return null;
		const { team, version, expires, body } = signed.policy;
		if (typeof body !== 'object' || body === null || Number.isNaN(Date.parse(expires))) return undefined;
		return {
			hub: String(hub),
			team: String(team),
			version: Number(version),
			expires,
			body: body as PolicyBody,
			mayLoosen: mayLoosen === true,
		};
	} catch {
		return undefined;
	}
}
