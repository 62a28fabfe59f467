import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createDurably, writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { POLICY_FILE } from '#lib/settings/policy-settings.ts';

/** What a home shares with the hub that it has joined. */
const Membership = z.object({
	/** The hub's address, as it was typed; websockets go to `/edge` below it. */
	url: z.string(),
	edge: z.int().min(1),
	team: z.string(),
	hub: z.string(),
	share: z.object({
		/** Absolute folders, or everything. */
		projects: z.union([z.literal('all'), z.array(z.string()).min(1)]),
		content: z.enum(['all', 'shape']),
	}),
	/** What people may decide from the hub; nothing where it is absent. */
	decide: EdgeLevel.optional(),
	/** As the code vouched for it. Who joined before it was kept is told nothing by commands. */
	root: RootDocument.optional(),
});
export type Membership = z.infer<typeof Membership>;

const FILE = 'hub.json';
const KEY = 'edge.key';
const COUNTER = 'edge.counter';
/** Who may decide from the hub, as its newest roster says. */
export const ROSTER_FILE = 'hub-roster.json';

/** The hub that this home belongs to; undefined where it belongs to none. Throws where the file cannot be read as one. */
export function readMembership(home: string): Membership | undefined {
	const text = readText(join(home, FILE));
	if (text === undefined) return;
	const parsed = Membership.safeParse(parse(text));
	if (parsed.success) return parsed.data;
	throw new Error(
		`${join(home, FILE)} does not say which hub this home has joined. Run \`signalbox leave\`, then join again.`,
	);
}

/** Whether a home still is the edge that it was; its owner may have left meanwhile, and joined again. */
export function isStill(home: string, { url, edge }: Membership): boolean {
	try {
		const current = readMembership(home);
		return current?.url === url && current.edge === edge;
	} catch {
		return false;
	}
}

/** Puts the key down first: a membership without it could not speak. */
export function keepMembership(home: string, membership: Membership, privateKey: string): void {
	createDurably(join(home, KEY), privateKey);
	writeDurably(join(home, COUNTER), '0\n');
	writeDurably(join(home, FILE), textOf(membership));
}

/** What its owner lets people decide from the hub, as it stands in the file now. */
export function readLevel(home: string): EdgeLevel {
	const membership = readMembership(home);
	if (!membership?.decide || whyNoLevel(membership, membership.decide) !== null) return 'watch';
	return membership.decide;
}

/** Why people cannot decide in this way from the hub; null where they can. */
export function whyNoLevel({ root, share }: Membership, level: EdgeLevel): string | null {
	if (level === 'watch') return null;
	if (share.content === 'shape')
		return 'This home shares no content: nobody at the hub could see what they decide. Leave, and join without --shape.';
	if (!root) return 'This home has joined with an older version. Leave, and join again with a new code.';
	if (level === 'passkey' && root.v === 1)
		return 'The hub had no root passkey when its code was made. Leave, and join again once it has one.';
	return null;
}

/** Keeps what people may decide from the hub; gives why not, where that cannot be. */
export function changeLevel(home: string, membership: Membership, level: EdgeLevel): string | null {
	const why = whyNoLevel(membership, level);
	if (why === null) writeDurably(join(home, FILE), textOf({ ...membership, decide: level }));
	return why;
}

const textOf = (membership: Membership) => `${JSON.stringify(membership, null, '\t')}\n`;

/** Nothing of it is left; what the hub has, it keeps. */
export function dropMembership(home: string): void {
	for (const name of [FILE, COUNTER, KEY, POLICY_FILE, ROSTER_FILE]) rmSync(join(home, name), { force: true });
}

/** The private key of a home that has joined, as PEM. */
export const readEdgeKey = (home: string): string => readFileSync(join(home, KEY), 'utf8');

/** What the next hello says. */
export function readCounter(home: string): number {
	const count = Number(readText(join(home, COUNTER)) ?? 0);
	return Number.isSafeInteger(count) ? count : 0;
}

/** It is on the disk before anything else is sent: a hello that is said again counts as a copy's. */
export function keepCounter(home: string, count: number): void {
	writeDurably(join(home, COUNTER), `${count}\n`);
}

function readText(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
		throw error;
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
