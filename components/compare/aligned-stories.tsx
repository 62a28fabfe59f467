import { PageLink, TextLink } from '#components/ui/text-link.tsx';
import { resultWords } from '#lib/compare/difference-words.ts';
import type { ComparedRun, Comparison, StagePair, StagePass, StoryLine } from '#lib/contract/archives/compare.ts';
import { resultTone } from '#lib/session/row.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { runAddress } from '../row/addresses.ts';
import { Part } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Toned } from '../ui/tone.tsx';
import { useRoving } from '../ui/use-roving.ts';

/** Both stories, stage by stage; stages that differ are open. Each line links to its recording at that row. */
export function AlignedStories({ comparison }: { comparison: Comparison }) {
	const say = useSay();
	const { listRef, rowProps } = useRoving();
	return (
		<Part title={say('Both stories')}>
			<ol ref={listRef}>
				{comparison.stages.map((pair, index) => (
					<li key={`${pair.stage} ${pair.nth}`} className="border-line border-t">
						<details open={pair.divergences > 0 || comparison.stages.length === 1}>
							<summary
								{...rowProps(`${pair.stage} ${pair.nth}`, index === 0)}
								className="min-h-7 flex-wrap py-0.5 pointer-coarse:min-h-11"
							>
								<StageHead pair={pair} />
							</summary>
							<div className="grid gap-x-4 gap-y-2 pb-2 pl-4 md:grid-cols-2">
								<Side label={say('First run')} run={comparison.a} pass={pair.a} />
								<Side label={say('Second run')} run={comparison.b} pass={pair.b} />
							</div>
						</details>
					</li>
				))}
			</ol>
		</Part>
	);
}

function StageHead({ pair }: { pair: StagePair }) {
	const say = useSay();
	const { stage, nth, a, b, divergences } = pair;
	return (
		<>
			<span className="font-medium">
				{stage === '' ? say('Before the first stage') : <AgentText>{stage}</AgentText>}
				{nth > 1 && <span className="text-muted"> {say('run {nth}', { nth })}</span>}
			</span>
			{stage !== '' && (
				<span className="flex gap-x-2 text-muted">
					<Outcome pass={a} /> <span aria-hidden>|</span> <Outcome pass={b} />
				</span>
			)}
			{divergences > 0 && (
				<span className="text-warn">
					<span aria-hidden>≠ </span>
					{say('{count} {count:difference|differences}', { count: divergences })}
				</span>
			)}
		</>
	);
}

function Outcome({ pass }: { pass: StagePass | null }) {
	const say = useSay();
	if (!pass) return <span>{say('did not run')}</span>;
	const tone = pass.isOpen ? 'run' : resultTone(pass.result, 'ok');
	return (
		<Toned tone={tone}>
			<AgentText>{resultWords(pass, say)}</AgentText> {spanDuration(pass.toMs - pass.fromMs, say.language)}
		</Toned>
	);
}

function Side({ label, run, pass }: { label: string; run: ComparedRun; pass: StagePass | null }) {
	const say = useSay();
	return (
		<div className="min-w-0">
			<h3 className="text-muted text-small md:sr-only">{label}</h3>
			{!pass && <p className="text-muted">{say('This run has none.')}</p>}
			{pass?.why && (
				<p className="text-muted">
					{say('Done again:')} <AgentText>{pass.why}</AgentText>
				</p>
			)}
			{pass && pass.lines.length === 0 && <p className="text-muted">{say('Nothing more is recorded.')}</p>}
			<ul>
				{pass?.lines.map((line) => (
					<li key={line.row}>
						<Line run={run} line={line} />
					</li>
				))}
			</ul>
			{pass && pass.more > 0 && (
				<TextLink href={runAddress(run, { sessionId: pass.sessionId, row: pass.row, at: pass.from })}>
					{say('{count} more in the recording', { count: pass.more })}
				</TextLink>
			)}
		</div>
	);
}

function Line({ run, line }: { run: ComparedRun; line: StoryLine }) {
	const say = useSay();
	const { at, tone, label } = line;
	return (
		<PageLink
			href={runAddress(run, line)}
			className="flex min-h-6 items-baseline gap-x-2 hover:bg-hover pointer-coarse:min-h-10"
		>
			<span className="shrink-0 text-muted">{clockTime(at)}</span>
			<Toned tone={tone} className="shrink-0">
				{say.known(label)}
			</Toned>
			<AgentText className="min-w-0 truncate">{say.field(line, 'text')}</AgentText>
		</PageLink>
	);
}
