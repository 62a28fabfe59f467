import { tell } from '../messages/tell.ts';
import { outcomeOf } from '../session/call.ts';
import { outcomeLooks } from '../session/outcome-looks.ts';
import { type Row, rowLabel } from '../session/row.ts';
import { MOST, type PassFacts } from './pass-facts.ts';

/** They are the headings under which the others stand. */
const HEADINGS: ReadonlySet<string> = new Set(['stage:start', 'stage:complete']);

/** Keeps the lines of each stage's run: the first ones, and in their place those that matter where there are too many. */
export function storyCollector(sessionId: string) {
	const kept = new Map<string, PassFacts>();
	return {
		/** A row as it stands now; it stays in the run in which it first stood. */
		put(row: Row, pass: PassFacts): void {
			if (!row.shown || HEADINGS.has(row.type)) return;
			const home = kept.get(row.key);
			const line = lineOf(sessionId, row);
			if (home) {
				const at = home.lines.findIndex((known) => known.row === row.key);
				if (at !== -1) home.lines[at] = line;
				return;
			}
			if (pass.lines.length >= MOST.lines) {
				pass.more += 1;
				const plain = matters(line) ? pass.lines.findLastIndex((known) => !matters(known)) : -1;
				if (plain === -1) return;
				for (const { row: gone } of pass.lines.splice(plain, 1)) kept.delete(gone);
			}
			pass.lines.push(line);
			kept.set(row.key, pass);
		},
	};
}

type Line = PassFacts['lines'][number];

const matters = ({ tone }: Line) => tone === 'err' || tone === 'warn' || tone === 'wait';

function lineOf(sessionId: string, row: Row): Line {
	const { key, at, title, call, tone } = row;
	const place = { sessionId, row: key, at, tone };
	if (!call) return { ...place, label: rowLabel(row), text: title };
	return { ...place, label: call.tool || 'call', text: `${title} · ${tell(outcomeLooks[outcomeOf(call)].word)}` };
}
