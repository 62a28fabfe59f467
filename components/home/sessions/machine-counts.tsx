import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import type { Say } from '#lib/messages/say.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { toneGlyph, toneText } from '../../ui/tone.ts';

/** What goes on at machines of one name. */
export type MachineCounts = Pick<SourceOptions['machines'][number], 'running' | 'waiting' | 'denied'>;

const looks = [
	{ of: 'waiting', word: '{count} waiting', tone: 'wait' },
	{ of: 'running', word: '{count} running', tone: 'run' },
	{ of: 'denied', word: '{count} denied in a day', tone: 'err' },
] as const satisfies readonly { of: keyof MachineCounts; word: string; tone: Tone }[];

/** Machines by their names, with the counts of those that have the same one together. */
export function countsByName(machines: SourceOptions['machines']): ReadonlyMap<string, MachineCounts> {
	const sums = new Map<string, MachineCounts>();
	for (const { name, running, waiting, denied } of machines) {
		const sum = sums.get(name) ?? { running: 0, waiting: 0, denied: 0 };
		sums.set(name, {
			running: sum.running + running,
			waiting: sum.waiting + waiting,
			denied: sum.denied + denied,
		});
	}
	return sums;
}

/** The same in words, for where no glyph can stand: `2 waiting, 1 running`. */
export const countWords = (counts: MachineCounts, say: Say): string =>
	looks.flatMap(({ of, word }) => (counts[of] > 0 ? say(word, { count: counts[of] }) : [])).join(', ');

/** What goes on there; nothing where nothing does. */
export function MachineCountsMark({ counts }: { counts: MachineCounts }) {
	const say = useSay();
	return looks.map(({ of, word, tone }) => {
		const count = counts[of];
		if (count === 0) return null;
		return (
			<span key={of} title={say(word, { count })} className={cn('tabular-nums', toneText[tone])}>
				<span aria-hidden>
					{toneGlyph[tone]} {count}
				</span>
				<span className="sr-only">{say(word, { count })}</span>
			</span>
		);
	});
}
