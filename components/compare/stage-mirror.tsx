import { useMemo } from 'react';
import { resultWords } from '#lib/compare/difference-words.ts';
import type { Comparison, StagePass } from '#lib/contract/archives/compare.ts';
import { resultTone } from '#lib/session/row.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { Part } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.tsx';
import { useWidth } from '../ui/use-size.ts';

/** Minimum bar width, and widths of a glyph and a letter. A bar shows its label only if all of it fits. */
const PX = { least: 4, glyph: 18, letter: 7 } as const;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** All stage runs of both on one scale: the first run above the line, the second below it. */
export function StageMirror({ found }: { found: Comparison }) {
	const say = useSay();
	const [ref, width] = useWidth<HTMLDivElement>();
	const rows = useMemo(() => stageRows(found), [found]);
	const longest = Math.max(1, found.a.workMs, found.b.workMs);
	const { divergence } = found;
	if (rows.length === 0) return null;
	const scale = { longest, width };
	return (
		<Part
			title={say('Stages on one scale')}
			note={say(
				'Time of work from the start: above the line the first run, below it the second. ≠ is where they first went apart.',
			)}
		>
			<div className="mt-1 grid grid-cols-[5rem_minmax(0,1fr)] items-center md:grid-cols-[8rem_minmax(0,1fr)]">
				<span />
				<div ref={ref} className="relative h-8">
					{divergence?.a && <Mark ms={divergence.a.ms} scale={scale} label="1" className="top-0" />}
					{divergence?.b && <Mark ms={divergence.b.ms} scale={scale} label="2" className="top-4" />}
				</div>
				{rows.map(({ stage, a, b, isFirst }) => (
					<div key={stage} className="col-span-2 grid grid-cols-subgrid items-center border-line/60 border-b">
						<AgentText className={cn('truncate pr-2 text-small', isFirst && 'font-semibold text-warn')}>
							{isFirst ? `≠ ${stage}` : stage}
						</AgentText>
						<div className="relative h-11">
							<span aria-hidden className="absolute inset-x-0 top-[22px] border-edge border-t" />
							{a.map((pass) => (
								<Bar key={`a ${pass.nth}`} pass={pass} scale={scale} className="top-0.5" />
							))}
							{b.map((pass) => (
								<Bar key={`b ${pass.nth}`} pass={pass} scale={scale} className="top-6" />
							))}
						</div>
					</div>
				))}
				<span />
				<div aria-hidden className="relative h-4 text-muted text-small">
					{TICKS.map((share) => (
						<span
							key={share}
							className={cn(
								'absolute',
								share === 1 ? 'right-0' : share > 0 && '-translate-x-1/2',
								share % 0.5 > 0 && 'max-sm:hidden',
							)}
							style={share === 1 ? undefined : { left: `${share * 100}%` }}
						>
							{spanDuration(longest * share, say.language)}
						</span>
					))}
				</div>
			</div>
		</Part>
	);
}

interface Scale {
	longest: number;
	width: number;
}

function Mark({ ms, scale, label, className }: { ms: number; scale: Scale; label: string; className: string }) {
	return (
		<span
			aria-hidden
			className={cn('absolute -translate-x-1/2 text-small text-warn leading-4', className)}
			style={{ left: Math.min(Math.max(10, (ms / scale.longest) * scale.width), scale.width - 10) }}
		>
			≠{label}
		</span>
	);
}

function Bar({ pass, scale, className }: { pass: StagePass; scale: Scale; className: string }) {
	const say = useSay();
	const tone = pass.isOpen ? 'run' : resultTone(pass.result, 'ok');
	const left = (pass.fromMs / scale.longest) * scale.width;
	const width = Math.max(PX.least, ((pass.toMs - pass.fromMs) / scale.longest) * scale.width);
	const words = `${resultWords(pass, say)} ${spanDuration(pass.toMs - pass.fromMs, say.language)}`;
	return (
		<span
			title={visibleString(`${pass.stage} ${words}`)}
			className={cn(
				'absolute flex h-4.5 items-center rounded-xs border border-current text-small leading-4',
				toneText[tone],
				className,
				pass.isOpen && 'border-dashed',
			)}
			style={{ left: Math.max(0, Math.min(left, scale.width - PX.least)), width }}
		>
			<span aria-hidden className={width < PX.glyph ? 'absolute left-full ml-0.5' : 'px-1'}>
				{toneGlyph[tone]}
			</span>
			<AgentText className={width < PX.glyph + words.length * PX.letter ? 'sr-only' : 'min-w-0 truncate pr-1'}>
				{words}
			</AgentText>
		</span>
	);
}

interface StageRowView {
	stage: string;
	a: StagePass[];
	b: StagePass[];
	isFirst: boolean;
}

/** Stages in the order in which the aligned runs reached them. */
function stageRows({ stages, divergence }: Comparison): StageRowView[] {
	const rows = new Map<string, StageRowView>();
	for (const { stage, a, b } of stages) {
		if (stage === '') continue;
		const row = rows.get(stage) ?? { stage, a: [], b: [], isFirst: divergence?.stage === stage };
		rows.set(stage, row);
		if (a) row.a.push(a);
		if (b) row.b.push(b);
	}
	return [...rows.values()];
}
