import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import type { Hints } from './hints.ts';

/** Lines of the list that change at nearly the same time are told together. */
const GATHER_MS = 50;
/** With more lines than these a hint only says that the list has changed. */
const MOST_LINES = 100;

const LINE = /^(\d{1,9}\/[A-Za-z0-9_-]{1,256}) (\d{1,10}) ([0-9a-f-]{36})$/;

/** How far a session is, or its line of the list. */
export interface SessionHead {
	/** As `hubNameOf` gives it. */
	name: string;
	epoch: string;
	seq: number;
}

const sayHead = ({ name, seq, epoch }: SessionHead) => `${name} ${seq} ${epoch}`;

/** What a hint says of sessions, one a line; undefined where it says no more than that there is something new. */
export function readHeadHint(body: string | undefined): SessionHead[] | undefined {
	const heads: SessionHead[] = [];
	for (const line of body?.split('\n') ?? []) {
		const [, name, seq, epoch] = LINE.exec(line) ?? [];
		if (name === undefined || epoch === undefined) return;
		heads.push({ name, seq: Number(seq), epoch });
	}
	return heads.length > 0 ? heads : undefined;
}

/** Tells of everything that this replica has written, so that others need not wait until they look. */
export function createWriteTeller(hints: Pick<Hints, 'tell'>) {
	let listed = new Map<string, SessionHead>();
	let timer: NodeJS.Timeout | undefined;

	function tellList() {
		timer = undefined;
		const lines = [...listed.values()].map(sayHead);
		listed = new Map();
		hints.tell('list', lines.length > MOST_LINES ? undefined : lines.join('\n'));
	}

	return {
		/** `isListed`: the session's line of the list has been written, too. */
		written({ sessionId: name, epoch, view: { seq } }: TailBatch, isListed: boolean) {
			const head = { name, epoch, seq };
			hints.tell(`s:${name}`, sayHead(head));
			if (!isListed) return;
			listed.set(name, head);
			timer ??= setTimeout(tellList, GATHER_MS).unref();
		},
		stop: () => clearTimeout(timer),
	};
}
