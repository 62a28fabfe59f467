import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { appendDurably } from '#hooks-bridge/disk/write-durably.ts';
import { type AuditState, type JournalHead, PlacedHead } from '#lib/contract/health/audit.ts';
import { parsedJson } from '#lib/json/json.ts';
import { ServiceFailure } from '../connect/outgoing/call-service.ts';
import type { Log } from '../process/log.ts';
import type { Anchor } from './anchors/anchors.ts';

const PERIOD_MS = 60_000;

/** Sends the journal's head to its anchors, every minute if it is new. */
export function createAnchorScheduler(options: {
	home: string;
	anchors: readonly Anchor[];
	head: () => JournalHead | null;
	now: () => number;
	log: Log;
}) {
	const { home, anchors, head, now, log } = options;
	const stopping = new AbortController();
	const last = new Map(readPlacedHeads(home).map((placed) => [placed.place, placed]));
	const failing = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	let working: Promise<void> = Promise.resolve();

	const isDue = ({ place, everyMs = 0 }: Anchor): boolean =>
		now() - Date.parse(last.get(place)?.ts ?? '1970-01-01') >= everyMs;

	async function placeAt(anchor: Anchor): Promise<void> {
		const current = head();
		if (!current || (last.get(anchor.place)?.n ?? 0) >= current.n) return;
		const ts = new Date(now()).toISOString();
		try {
			await anchor.storeHead(current, ts, stopping.signal);
			const placed = { ...current, ts, place: anchor.place };
			notePlacedHead(home, placed);
			last.set(anchor.place, placed);
			failing.delete(anchor.place);
		} catch (error) {
			if (stopping.signal.aborted || failing.has(anchor.place)) return;
			failing.add(anchor.place);
			const reason = error instanceof ServiceFailure ? error.message : 'it failed';
			log.warn('audit: the head of the journal cannot be anchored; it is tried again', {
				anchor: anchor.place,
				reason,
			});
		}
	}

	const placeAll = (wanted: readonly Anchor[]): Promise<void> => {
		working = working.then(() => Promise.all(wanted.map(placeAt))).then(() => undefined);
		return working;
	};
	const placeDue = () => void placeAll(anchors.filter(isDue));

	return {
		/** Sends the head to anchors that lack it; resolves when every anchor has answered. */
		place: (): Promise<void> => placeAll(anchors),
		state(): AuditState {
			const newest = [...last.values()].toSorted((a, b) => a.n - b.n).at(-1);
			const caveat = anchors.find(({ place }) => place === newest?.place)?.caveat ?? null;
			return { head: head(), anchored: newest ?? null, caveat, anchors: anchors.length };
		},
		start(): void {
			if (anchors.length === 0) return;
			placeDue();
			timer = setInterval(placeDue, PERIOD_MS).unref();
		},
		async stop(): Promise<void> {
			clearInterval(timer);
			stopping.abort();
			await working;
		},
	};
}

export type AnchorScheduler = ReturnType<typeof createAnchorScheduler>;

/** The heads that this home has sent, oldest first; only the anchors themselves can prove them. */
export function readPlacedHeads(home: string): PlacedHead[] {
	const text = tryTo(() => readFileSync(join(home, 'anchors.jsonl'), 'utf8')) ?? '';
	return text.split('\n').flatMap((line) => PlacedHead.safeParse(parsedJson(line)).data ?? []);
}

export function notePlacedHead(home: string, head: PlacedHead): void {
	appendDurably(join(home, 'anchors.jsonl'), `${JSON.stringify(head)}\n`);
}
