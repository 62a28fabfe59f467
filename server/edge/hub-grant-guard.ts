import type { EdgeLevel } from '#lib/contract/approvals/edge-level.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { scopesWithin } from '#lib/grants/scopes-within.ts';
import { isNeverRemote } from '#lib/hub/never-remote.ts';
import { findEntry } from '#lib/hub/roster.ts';
import { tell } from '#lib/messages/tell.ts';
import type { HubGrantGuard } from '../approvals/grants/grant-service.ts';
import { type HubSettings, markOf } from './decide-for-hub.ts';
import type { RosterCache } from './roster-cache.ts';

/** What a grant of the hub stands on. */
export interface HubGrantBasis {
	/** Of the hub. */
	origin: string;
	/** Of the machine. */
	team: string;
	/** The home still is the edge as which it was started. */
	isMember: () => boolean;
	/** ISO: when it joined or left last, as its journal has it. */
	joinedAt: string | undefined;
	/** The hub has said that it does not count this machine as its own any more. */
	isSentAway: () => boolean;
	level: () => EdgeLevel;
	settings: () => HubSettings;
	roster: Pick<RosterCache, 'kept'>;
	projectOf: (sessionId: string) => string | null;
	/** ms since 1970. */
	now: () => number;
}

/**
 * Says why a grant that was made at the hub does not stand any more: it never outlives the membership, the word of the
 * machine's owner, or its person's place in the roster.
 */
export function createHubGrantGuard(ground: HubGrantBasis): HubGrantGuard {
	const { origin, team, joinedAt = '', projectOf } = ground;

	function whyNotLet(
		{ scope, covers }: GrantRecord,
		{ level: by }: HubProof,
		{ level, settings }: HubTrust,
	): string | undefined {
		const { hubMayGrant, hubNeverRemote } = settings;
		const isLet = scopesWithin(hubMayGrant).includes(scope) && !isNeverRemote(hubNeverRemote, { denials: covers });
		if (level === 'watch' || !isLet) return tell('the owner of this machine does not let the hub allow it any more');
		return level === 'passkey' && by !== 'passkey'
			? tell('the owner of this machine wants a passkey for what the hub allows')
			: undefined;
	}

	/** Where the hub is believed, it takes back by itself what somebody allowed who may not any more. */
	function whyNotInRoster(
		{ sessionId }: GrantRecord,
		{ iss, sub, passkey }: HubProof,
		{ level, roster, now }: HubTrust,
	): string | undefined {
		if (level !== 'passkey') return undefined;
		const entry = roster?.entries.find((one) => markOf(one.entry.passkey.id) === passkey)?.entry;
		const place = {
			team,
			// Only who decides in single projects has a timeline opened for it.
			get project() {
				return projectOf(sessionId);
			},
		};
		const asked = { credential: entry?.passkey.id ?? '', person: { iss, sub }, place, now };
		return typeof findEntry(roster, asked) === 'string'
			? tell('who allowed it is not in the roster of the hub any more')
			: undefined;
	}

	return () => {
		const hasLeft = tell('this machine has left the hub that it came from');
		if (!ground.isMember()) return () => hasLeft;
		const [level, settings, roster, now] = [ground.level(), ground.settings(), ground.roster.kept(), ground.now()];
		const standing = { level, settings, roster, now };
		return (grant) => {
			const { hub } = grant.by;
			if (hub?.origin !== origin || grant.createdAt < joinedAt) return hasLeft;
			if (ground.isSentAway()) return tell('the hub has sent this machine away');
			return whyNotLet(grant, hub, standing) ?? whyNotInRoster(grant, hub, standing);
		};
	};
}

type HubProof = NonNullable<Decider['hub']>;

/** How the machine stands with its hub at one moment. */
interface HubTrust {
	level: EdgeLevel;
	settings: HubSettings;
	roster: ReturnType<RosterCache['kept']>;
	/** ms since 1970. */
	now: number;
}
