import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import { Roster, type SignedEntry } from '#lib/contract/hub/hub-commands.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { refuseRoster } from '#lib/hub/roster.ts';
import { canonicalJson } from '#lib/json/json.ts';
import { entryDigest, isByRootPasskey } from '../hub-protocol/signatures.ts';
import { type Membership, ROSTER_FILE } from './membership.ts';
import { type CommandOutcome, refusal } from './run-commands.ts';

const DONE: CommandOutcome = { state: 'done', journal: 0 };

export function createRosterCache(options: {
	home: string;
	membership: Pick<Membership, 'team'>;
	root: RootDocument | undefined;
	now: () => number;
}) {
	const { home, membership, root, now } = options;
	const path = join(home, ROSTER_FILE);
	let current = readRoster(home);

	return {
		current: () => current,
		async acceptRoster(body: unknown): Promise<CommandOutcome> {
			if (root?.v !== 2) return refusal('roster/no-root');
			const read = Roster.safeParse(body);
			if (!read.success) return refusal('roster/form');
			const roster = read.data;
			const isSame = ({ entries }: Roster) => canonicalJson(entries) === canonicalJson(roster.entries);
			const why = refuseRoster(roster, { team: membership.team, now: now(), kept: current, isSame });
			if (why !== null) return refusal(why);
			for (const signed of roster.entries) if (!(await isSignedEntry(signed, root))) return refusal('roster/unsigned');
			// An older stamp of the same version may arrive late.
			if (current?.version === roster.version && roster.until <= current.until) return DONE;
			writeDurably(path, `${JSON.stringify(roster, null, '\t')}\n`);
			current = roster;
			return DONE;
		},
		drop(): void {
			current = undefined;
			rmSync(path, { force: true });
		},
	};
}

export type RosterCache = ReturnType<typeof createRosterCache>;

export const isSignedEntry = ({ entry, root: signature }: SignedEntry, root: RootDocument): Promise<boolean> =>
	isByRootPasskey(signature, entryDigest(entry, root.origin), root);

export function readRoster(home: string): Roster | undefined {
	return tryTo(() => Roster.safeParse(JSON.parse(readFileSync(join(home, ROSTER_FILE), 'utf8'))).data);
}
