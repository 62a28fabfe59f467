import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Plain } from '#lib/messages/say.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.ts';

type Stages = SessionSummary['stages'];
type State = Stages[number]['state'];

/** By height and pattern as well as by colour. */
const looks: Record<State, string> = {
	pending: 'h-1 bg-edge',
	active: 'h-3 border border-run bg-run stripes',
	done: 'h-2 bg-ok',
	failed: 'h-3 bg-err',
	issues: 'h-2.5 bg-warn',
};
const words: Record<State, Plain> = {
	pending: 'to come',
	active: 'current',
	done: 'done',
	failed: 'failed',
	issues: 'done with issues',
};
const tones = { pending: 'plain', active: 'run', done: 'ok', failed: 'err', issues: 'warn' } as const;

/** A workflow as one segment a stage, and the stage that matters now by name; always of the same width. */
export function StageSegments({ stages, isPaused }: { stages: Stages; isPaused?: boolean | undefined }) {
	const say = useSay();
	if (stages.length === 0) return null;
	const focus = stageInFocus(stages);
	const tone = isPaused ? 'wait' : tones[focus.state];
	const segments = segmentsOf(stages);
	return (
		<span
			className="flex min-w-0 items-center gap-1 sm:gap-2"
			title={visibleString(segments.map(({ key, state }) => `${key} ${say(words[state])}`).join(', '))}
		>
			<ol aria-label={say('Stages')} className="flex h-3 w-7 shrink-0 items-end gap-px sm:w-12 md:w-16">
				{segments.map(({ key, state }) => (
					<li key={key} className={cn('min-w-0 flex-1', looks[state])}>
						<span className="sr-only">
							<AgentText>{key}</AgentText>, {say(words[state])}
						</span>
					</li>
				))}
			</ol>
			<span className={cn('flex min-w-0 gap-1 text-small', toneText[tone])}>
				<span aria-hidden>{toneGlyph[tone]}</span>
				<AgentText className="min-w-0 truncate">{focus.key}</AgentText>
				{isPaused && <span className="sr-only">{say(', workflow paused')}</span>}
			</span>
		</span>
	);
}

/** The one that runs, else one that failed, else the next, else the last. */
function stageInFocus(stages: Stages): Stages[number] {
	const of = (wanted: State) => stages.find(({ state }) => state === wanted);
	return of('active') ?? of('failed') ?? of('pending') ?? (stages.at(-1) as Stages[number]);
}

/** More segments than these are too narrow to be seen. */
const MOST_SEGMENTS = 24;
const WORST: readonly State[] = ['failed', 'active', 'pending', 'issues', 'done'];

/** Each stage, or of very many so many neighbours together as fit, by the worst of them. */
function segmentsOf(stages: Stages): Stages {
	const each = Math.ceil(stages.length / MOST_SEGMENTS);
	if (each === 1) return stages;
	return Array.from({ length: Math.ceil(stages.length / each) }, (_, at) => {
		const [first, ...others] = stages.slice(at * each, (at + 1) * each);
		const key = others.length > 0 ? `${first?.key} – ${others.at(-1)?.key}` : (first?.key ?? '');
		const state = WORST.find((worst) => first?.state === worst || others.some((one) => one.state === worst));
		return { key, state: state ?? 'pending' };
	});
}
