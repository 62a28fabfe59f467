import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import type { Hints } from './hints.ts';

const GATHER_MS = 50;
const MOST_LINES = 100;

const LINE = /^(\d{1,9}\/[A-Za-z0-9_-]{1,256}) (\d{1,10}) ([0-9a-f-]{36})$/;

export interface SessionHead {
	name: string;
	epoch: string;
	seq: number;
}

const sayHead = ({ name, seq, epoch }: SessionHead) => `${name} ${seq} ${epoch}`;

export function readHeadHint(body: string | undefined): SessionHead[] | undefined {
	const heads: SessionHead[] = [];
	for (const line of body?.split('\n') ?? []) {
		const [, name, seq, epoch] = LINE.exec(line) ?? [];
		if (name === undefined || epoch === undefined) return;
		heads.push({ name, seq: Number(seq), epoch });
	}
	return heads.length > 0 ? heads : undefined;
}

export function createWriteHints(hints: Pick<Hints, 'tell'>) {
	let listed = new Map<string, SessionHead>();
	let timer: NodeJS.Timeout | undefined;

	function tellList() {
		timer = undefined;
		const lines = [...listed.values()].map(sayHead);
		listed = new Map();
		hints.tell('list', lines.length > MOST_LINES ? undefined : lines.join('\n'));
	}

	return {
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
