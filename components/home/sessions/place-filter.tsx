import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import type { Plain, Say } from '#lib/messages/say.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { useRoute } from '../../live/use-answer.ts';
import { Chip } from '../../ui/chip.tsx';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.tsx';
import { useSessionListParams } from './session-list-params.ts';

const MOST_CHIPS = 8;
const AGAIN_MS = 10_000;
const words = {
	team: { title: 'Team', all: 'All teams' },
	machine: { title: 'Machine', all: 'All machines' },
	project: { title: 'Project', all: 'All projects' },
} as const satisfies Record<string, { title: Plain; all: Plain }>;
const CHIP = 'h-6 rounded-full border border-edge px-2.5 text-muted hover:bg-hover pointer-coarse:h-10';

export function PlaceFilter() {
	const { data } = useRoute('GET /api/places', {}, { everyMs: AGAIN_MS });
	if (!data) return null;
	const machines = countsByName(data.machines);
	return (
		<>
			<Choice of="team" names={data.teams} />
			<Choice of="machine" names={[...machines.keys()]} counts={machines} />
			<Choice of="project" names={data.projects} />
		</>
	);
}

const NONE: MachineCounts = { running: 0, waiting: 0, denied: 0 };

/** Nothing where there is one name alone, and it is not chosen. */
function Choice({
	of,
	names,
	counts,
}: {
	of: keyof typeof words;
	names: readonly string[];
	counts?: ReadonlyMap<string, MachineCounts>;
}) {
	const say = useSay();
	const { title, all } = words[of];
	const [{ [of]: chosen }, setParams] = useSessionListParams();
	const choose = (name: string | null) => void setParams({ [of]: name, rows: null });
	const offered = chosen === null || names.includes(chosen) ? names : [chosen, ...names];
	if (offered.length < 2 && chosen === null) return null;
	if (offered.length > MOST_CHIPS) {
		return (
			<select
				aria-label={say(title)}
				value={chosen ?? ''}
				onChange={(event) => choose(event.target.value || null)}
				className={cn(CHIP, 'max-w-40', chosen !== null && 'border-accent bg-selected text-text')}
			>
				<option value="">{say(all)}</option>
				{offered.map((name) => (
					<option key={name} value={name}>
						{visibleString([name, countWords(counts?.get(name) ?? NONE, say)].filter(Boolean).join(': '))}
					</option>
				))}
			</select>
		);
	}
	return (
		<fieldset aria-label={say(title)} className="flex flex-wrap items-center gap-1">
			{offered.map((name) => (
				<Chip
					key={name}
					isOn={name === chosen}
					className="flex items-center gap-1.5"
					onPress={() => choose(name === chosen ? null : name)}
				>
					<AgentText className="max-w-36 truncate">{name}</AgentText>
					<MachineCountsMark counts={counts?.get(name) ?? NONE} />
				</Chip>
			))}
		</fieldset>
	);
}

type MachineCounts = Pick<SourceOptions['machines'][number], 'running' | 'waiting' | 'denied'>;

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

function MachineCountsMark({ counts }: { counts: MachineCounts }) {
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
