'use client';
import { agentAsked, type CallView } from '#lib/session/call.ts';
import { holdOf } from '#lib/session/hold.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import type { Lane, LaneBar } from '#lib/timeline/lanes.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { callName, holdWords, outcomeWords } from '../row/call-words.ts';
import { useSessionParams } from '../row/search-params.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';

/** Height (px) of one bar with its gap. */
export const BAR_PX = 24;
/** A bar must be seen, and hit, however short it is. */
const MIN_PX = 4;
/** Room (px) that a bar needs before it says its name. */
const NAME_PX = 40;

interface LaneBarsProps {
	lane: Lane;
	actor: string;
	height: number;
	scale: TimeScale;
	/** Only what lies between these (px) is drawn. */
	drawn: Span;
}

/** The bars of one actor; each is a button that opens its row. */
export function LaneBars({ lane, actor, height, scale, drawn }: LaneBarsProps) {
	const [{ row }, setParams] = useSessionParams();
	const placed = lane.bars.flatMap((bar) => {
		const left = Math.min(scale.toX(bar.from), scale.width - MIN_PX);
		const width = Math.max(MIN_PX, scale.toX(bar.to) - left);
		return left > drawn.to || left + width < drawn.from ? [] : [{ bar, left, width }];
	});
	return (
		<ul aria-label={`Calls of ${visibleString(actor)}`} className="relative border-line/60 border-t" style={{ height }}>
			{placed.map(({ bar, left, width }) => (
				<li key={`${bar.row} ${bar.kind}`}>
					<button
						type="button"
						aria-label={sentenceOf(bar, actor)}
						aria-current={bar.row === row || undefined}
						title={sentenceOf(bar, actor)}
						onClick={() => void setParams({ row: bar.row })}
						className={cn(
							'absolute h-5 overflow-hidden rounded-xs border px-0.5 text-left text-small leading-4 hover:bg-hover aria-current:outline-2 aria-current:outline-accent',
							lookOf(bar),
						)}
						style={{ left, width, top: bar.depth * BAR_PX + 2 }}
					>
						{width >= NAME_PX && (
							<span className="block truncate">
								<span aria-hidden>{toneGlyph[bar.tone]} </span>
								<AgentText>{barName(bar.call)}</AgentText>
							</span>
						)}
					</button>
				</li>
			))}
		</ul>
	);
}

/** A bar is short: of a call for a sub-agent the agent says most. */
function barName(call: CallView): string {
	const agent = agentAsked(call);
	return agent === undefined ? call.tool : `→ ${agent}`;
}

function lookOf({ kind, tone, isOpen, isAtMost }: LaneBar): string {
	const edge = isOpen ? 'border-dashed' : '';
	if (kind === 'hold') return cn('border-wait text-wait', isAtMost ? 'dots border-r-0 border-dotted' : 'stripes', edge);
	if (kind === 'wait') return cn('border-line bg-raised text-muted', edge);
	return cn('border-current bg-surface', toneText[tone], edge);
}

/** `developer: Edit cart.ts, ran, 0.2 s, at 12:31:05` */
function sentenceOf({ kind, call, from, to, isOpen }: LaneBar, actor: string): string {
	const what =
		kind === 'hold' ? 'held for a person' : kind === 'wait' ? 'waits for its sub-agent' : outcomeWords(call).word;
	const hold = kind === 'hold' && !isOpen ? holdOf(call) : undefined;
	const length = hold ? holdWords(hold) : isOpen ? `for ${spanDuration(to - from)} so far` : spanDuration(to - from);
	return visibleString(`${actor}: ${callName(call)} ${call.title}, ${what}, ${length}, at ${clockTime(from)}`);
}
