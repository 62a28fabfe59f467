import type { Tone } from '#lib/contract/event-labels.ts';
import type { SessionSummary } from '#lib/contract/read-model/session-summary.ts';
import { countOf } from '#lib/text/count-of.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';

type Counts = SessionSummary['counts'];

const marks: readonly { name: keyof Counts; tone: Tone; words: (count: number) => string }[] = [
	{ name: 'deniedButRan', tone: 'err', words: (count) => `${count} denied but ran` },
	{ name: 'denials', tone: 'err', words: (count) => `${count} denied` },
	{ name: 'overrides', tone: 'wait', words: (count) => `${count} overridden` },
	{ name: 'errors', tone: 'warn', words: (count) => countOf(count, 'tool error') },
];

/** What in a session deserves a look, in few words; nothing where all went well. */
export function SessionMarks({ counts }: { counts: Counts }) {
	return marks
		.filter(({ name }) => counts[name] > 0)
		.map(({ name, tone, words }) => (
			<span key={name} className={`whitespace-nowrap text-small ${toneText[tone]}`}>
				<span aria-hidden>{toneGlyph[tone]} </span>
				{words(counts[name])}
			</span>
		));
}
