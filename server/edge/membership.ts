import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { createDurably, writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { parsedJson } from '#lib/json/json.ts';
import { POLICY_FILE } from '#lib/settings/policy-settings.ts';

const Membership = z.object({
	url: z.string(),
	edge: z.int().min(1),
	team: z.string(),
	hub: z.string(),
	share: z.object({
		projects: z.union([z.literal('all'), z.array(z.string()).min(1)]),
		content: z.enum(['all', 'shape']),
	}),
	decide: EdgeLevel.optional(),
	/** Absent for homes that joined before it was stored: they execute no commands. */
	root: RootDocument.optional(),
});
export type Membership = z.infer<typeof Membership>;

const FILE = 'hub.json';
const KEY = 'edge.key';
const COUNTER = 'edge.counter';
export const ROSTER_FILE = 'hub-roster.json';

export function readMembership(home: string): Membership | undefined {
	const text = readText(join(home, FILE));
	if (text === undefined) return;
	const parsed = Membership.safeParse(parsedJson(text));
	if (parsed.success) return parsed.data;
	throw new Error(
		`${join(home, FILE)} does not say which hub this home has joined. Run \`signalbox leave\`, then join again.`,
	);
}

/** The owner may have left and joined again meanwhile. */
export function isJoined(home: string, { url, edge }: Membership): boolean {
	const current = tryTo(() => readMembership(home));
	return current?.url === url && current.edge === edge;
}

/** The key first: a membership without it could not connect. */
export function storeMembership(home: string, membership: Membership, privateKey: string): void {
	createDurably(join(home, KEY), privateKey);
	writeDurably(join(home, COUNTER), '0\n');
	writeDurably(join(home, FILE), textOf(membership));
}

export function readLevel(home: string): EdgeLevel {
	const membership = readMembership(home);
	if (!membership?.decide || whyNoLevel(membership, membership.decide) !== null) return 'watch';
	return membership.decide;
}

export function whyNoLevel({ root, share }: Membership, level: EdgeLevel): string | null {
	if (level === 'watch') return null;
	if (share.content === 'shape')
		return 'This home shares no content: nobody at the hub could see what they decide. Leave, and join without --shape.';
	if (!root) return 'This home has joined with an older version. Leave, and join again with a new code.';
	if (level === 'passkey' && root.v === 1)
		return 'The hub had no root passkey when its code was made. Leave, and join again once it has one.';
	return null;
}

export function changeLevel(home: string, membership: Membership, level: EdgeLevel): string | null {
	const why = whyNoLevel(membership, level);
	if (why === null) writeDurably(join(home, FILE), textOf({ ...membership, decide: level }));
	return why;
}

const textOf = (membership: Membership) => `${JSON.stringify(membership, null, '\t')}\n`;

export function dropMembership(home: string): void {
	for (const name of [FILE, COUNTER, KEY, POLICY_FILE, ROSTER_FILE]) rmSync(join(home, name), { force: true });
}

export const readEdgeKey = (home: string): string => readFileSync(join(home, KEY), 'utf8');

export function readCounter(home: string): number {
	const count = Number(readText(join(home, COUNTER)) ?? 0);
	return Number.isSafeInteger(count) ? count : 0;
}

/** Durable before anything else is sent: a repeated counter looks like a copy of the machine. */
export function storeCounter(home: string, count: number): void {
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
