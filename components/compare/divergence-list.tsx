import Link from 'next/link';
import type { ComparedRun, Comparison, Divergence, RunPosition } from '#lib/contract/archives/compare.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { runAddress } from '../row/run-address.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** So many places are listed at once; the others are behind a fold. */
const FIRST = 6;

/** Where the two runs first went apart, in a sentence, and after that each further place. */
export function DivergenceList({ found }: { found: Comparison }) {
	const say = useSay();
	const { divergence, divergences, isSame } = found;
	if (!divergence)
		return (
			<p role="status" className="rounded border border-line px-3 py-2">
				<span aria-hidden className="text-ok">
					✓{' '}
				</span>
				{isSame ? say('No difference.') : say('Both went the same way; what differs is in the table.')}
			</p>
		);
	const [, ...later] = divergences;
	const shown = later.slice(0, FIRST);
	const rest = later.slice(FIRST);
	return (
		<section aria-label={say('Where they went apart')} className="rounded border border-warn px-3 py-2">
			<h2 className="text-muted text-small">
				<span aria-hidden className="text-warn">
					≠{' '}
				</span>
				{say('First divergence')}
			</h2>
			<p className="font-semibold text-title">
				<Sentence>{divergence.explanation}</Sentence>
			</p>
			<Places found={found} divergence={divergence} />
			{shown.length > 0 && (
				<>
					<h3 className="pt-2 text-muted text-small">{say('And after that')}</h3>
					<Further found={found} list={shown} start={2} />
				</>
			)}
			{rest.length > 0 && (
				<details>
					<summary className="text-muted">{say('{count} more', { count: rest.length })}</summary>
					<Further found={found} list={rest} start={2 + shown.length} />
				</details>
			)}
		</section>
	);
}

/** What the server says of a divergence; parts of it are an agent's. */
function Sentence({ children }: { children: string }) {
	return <AgentText className="[overflow-wrap:anywhere]">{useSay().told(children)}</AgentText>;
}

function Further({ found, list, start }: { found: Comparison; list: readonly Divergence[]; start: number }) {
	return (
		<ol start={start} className="list-decimal pl-6">
			{list.map((each) => (
				<li
					key={`${each.kind} ${each.stage} ${each.nth} ${each.a?.row} ${each.b?.row} ${each.explanation}`}
					className="py-0.5"
				>
					<Sentence>{each.explanation}</Sentence> <Places found={found} divergence={each} />
				</li>
			))}
		</ol>
	);
}

function Places({ found, divergence }: { found: Comparison; divergence: Divergence }) {
	const say = useSay();
	return (
		<span className="inline-flex flex-wrap gap-x-4">
			{divergence.a && <PlaceLink run={found.a} place={divergence.a} label={say('First run')} />}
			{divergence.b && <PlaceLink run={found.b} place={divergence.b} label={say('Second run')} />}
		</span>
	);
}

/** Opens the recording where it is told; of a run that has nothing of the kind where it would stand. */
function PlaceLink({ run, place, label }: { run: ComparedRun; place: RunPosition; label: string }) {
	const say = useSay();
	return (
		<Link
			href={runAddress(run, place)}
			prefetch={false}
			className="inline-flex min-h-6 items-center text-accent underline pointer-coarse:min-h-10"
		>
			{label}: {place.has ? dayAndTime(place.at) : say('nothing of it, at {time}', { time: dayAndTime(place.at) })}
		</Link>
	);
}
