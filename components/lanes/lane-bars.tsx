import { callName, holdWords, outcomeWords } from '#lib/approvals/call-words.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Say } from '#lib/messages/say.ts';
import { holdOf, requestedAgentOf } from '#lib/session/call.ts';
import { shortPath } from '#lib/text/printable.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import {
	clusterBars,
	type DrawnBar,
	type LaneBar,
	MIN_PX,
	type PlacedLane,
	type ToolFamily,
	toolFamily,
} from '#lib/timeline/lanes.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph } from '../ui/tone.tsx';

export const BAR_PX = 28;
/** Space (px) above and below the bars of a lane. */
export const LANE_PX = 6;
const MIN_NAME_PX = 40;
/** Width (px) of one letter of a name. A name stands beside its bar only if all of it fits there. */
const LETTER_PX = 7;
const NAME_GAP_PX = 12;

/** Position of a span on the axis in px: clamped to the axis, at least wide enough to be visible. */
export function barBox({ toX, width }: TimeScale, { from, to }: Span, depth: number) {
	const left = Math.min(toX(from), width - MIN_PX);
	return { left, width: Math.max(MIN_PX, toX(to) - left), top: depth * BAR_PX + 2 };
}

interface LaneBarsProps {
	lane: PlacedLane;
	actor: string;
	height: number;
	scale: TimeScale;
	view: Span;
	now: number;
	folder: string | null;
	openRow: string | null;
	onOpen: (row: string) => void;
	onShow: (span: Span) => void;
}

/** The visible bars of one actor. Each is a button that opens its row, or zooms in if it groups several close bars. */
export function LaneBars({ lane, actor, height, scale, view, now, folder, openRow, onOpen, onShow }: LaneBarsProps) {
	const say = useSay();
	const inView = lane.bars.filter(({ from, to }) => to >= view.from && from <= view.to);
	const { life } = lane;
	const isAlive = life && life.from <= view.to && (life.to ?? now) >= view.from;
	const start = life && scale.toX(life.from);
	return (
		<ul aria-label={say('Calls of {actor}', { actor: visibleString(actor) })} className="relative" style={{ height }}>
			{isAlive && start !== undefined && (
				<li
					aria-hidden
					className={cn('absolute inset-y-1 rounded bg-raised', life.to === null && 'rounded-r-none')}
					style={{ left: start, width: Math.max(2, scale.toX(life.to ?? now) - start) }}
				/>
			)}
			{clusterBars(inView, scale.toX, scale.width, openRow).map((drawn, index, all) => {
				const { left, width, depth, bars } = drawn;
				const [bar] = bars;
				const isOne = bars.length === 1;
				const next = all.slice(index + 1).find((other) => other.depth === depth);
				const name = barName(bar.call, folder);
				const room = (next?.left ?? scale.width) - left - width - NAME_GAP_PX;
				const top = depth * BAR_PX + 2;
				const sentence = isOne ? barSentence(bar, actor, say) : groupSentence(drawn, actor, say);
				return (
					<li key={`${bar.row} ${bar.kind}`}>
						<button
							type="button"
							aria-label={sentence}
							aria-current={(isOne && bar.row === openRow) || undefined}
							title={sentence}
							onClick={() => (isOne ? onOpen(bar.row) : onShow(zoomSpan(drawn)))}
							className={cn(
								'absolute h-6 overflow-hidden rounded border px-1 text-left text-small leading-5 hover:brightness-95 aria-current:outline-2 aria-current:outline-accent',
								barClass(bar, drawn),
							)}
							style={{ left, width, top }}
						>
							{width >= MIN_NAME_PX && (
								<span className="block truncate">
									{drawn.tone !== 'ok' && <span aria-hidden>{toneGlyph[drawn.tone]} </span>}
									{isOne ? <AgentText>{name}</AgentText> : say('{count} calls', { count: bars.length })}
								</span>
							)}
						</button>
						{isOne && width < MIN_NAME_PX && room >= name.length * LETTER_PX && (
							<span
								aria-hidden
								className="pointer-events-none absolute h-6 whitespace-nowrap pl-1.5 text-muted text-small leading-6"
								style={{ left: left + width, top }}
							>
								<AgentText>{name}</AgentText>
							</span>
						)}
					</li>
				);
			})}
		</ul>
	);
}

function barName(call: CallView, folder: string | null): string {
	const agent = requestedAgentOf(call);
	return agent === undefined ? `${call.tool} ${shortPath(call.title, folder)}` : `→ ${agent}`;
}

export const FAILED = 'bg-err/40';
export const fills: Record<ToolFamily, string> = {
	read: 'bg-read',
	edit: 'bg-write',
	run: 'bg-command',
	agent: 'bg-agent',
	other: 'bg-hover',
};

function barClass({ kind, isOpen, isAtMost, call }: LaneBar, { bars, tone }: DrawnBar): string {
	const edge = cn(isOpen && 'border-dashed', tone === 'err' ? 'border-err' : isOpen ? 'border-run' : 'border-edge/60');
	if (kind === 'hold')
		return cn(
			'border-wait bg-surface text-wait',
			isAtMost ? 'dots border-r-0 border-dotted' : 'stripes',
			isOpen && 'border-dashed',
		);
	return cn(tone === 'err' ? FAILED : fills[toolFamily(call.tool)], bars.length > 1 && 'border-x-2', edge);
}

/** `developer: Edit cart.ts, ran, 0.2 s, at 12:31:05` */
function barSentence({ kind, call, from, to, isOpen }: LaneBar, actor: string, say: Say): string {
	const what =
		kind === 'hold' ? 'held for a person' : kind === 'wait' ? 'waits for its sub-agent' : outcomeWords(call).word;
	const time = spanDuration(to - from, say.language);
	const hold = kind === 'hold' && !isOpen ? holdOf(call) : undefined;
	const length = hold ? holdWords(hold, say) : isOpen ? say('for {time} so far', { time }) : time;
	const name = `${callName(call)} ${call.title}`;
	const values = { actor, call: name, what: say(what), length, at: clockTime(from) };
	return visibleString(say('{actor}: {call}, {what}, {length}, at {at}', values));
}

/** `developer: 12 calls, 1 of them failed or denied, at 12:31:05; zoom in` */
function groupSentence({ bars }: DrawnBar, actor: string, say: Say): string {
	const failed = bars.filter(({ tone }) => tone === 'err').length;
	const values = { actor, count: bars.length, at: clockTime(bars[0].from) };
	return visibleString(
		failed > 0
			? say('{actor}: {count} calls, {bad} of them failed or denied, at {at}; zoom in', { ...values, bad: failed })
			: say('{actor}: {count} calls, at {at}; zoom in', values),
	);
}

function zoomSpan({ bars }: DrawnBar): Span {
	const from = bars[0].from;
	const to = Math.max(...bars.map((bar) => bar.to));
	const margin = Math.max(500, (to - from) / 4);
	return { from: from - margin, to: to + margin };
}

interface LaneNamesProps {
	heights: { plan: number; stages: number; others: number };
	hasNotes: boolean;
	lanes: readonly { lane: PlacedLane; actor: string; height: number }[];
}

export function LaneNames({ heights, hasNotes, lanes }: LaneNamesProps) {
	const say = useSay();
	return (
		<div aria-hidden className="w-28 shrink-0 border-line border-r md:w-60">
			<p className="h-9 px-3 text-muted text-small leading-9">{say('Whole session')}</p>
			<RowName name={say('Time')} />
			<RowName name={say('Plan')} height={heights.plan} />
			<RowName name={say('Stages')} height={heights.stages} />
			<RowName name={say('Moments')} />
			{hasNotes && <RowName name={say('Notes')} />}
			{lanes.map(({ lane, actor, height }, index) => {
				const isSameTask = (one: (typeof lanes)[number]) => one.actor === actor && one.lane.task === lane.task;
				const before = lanes.slice(0, index).filter(isSameTask).length;
				const run = lane.task && before > 0 ? ` · ${say('run {nth}', { nth: before + 1 })}` : '';
				return (
					<LaneName
						key={lane.agentId ?? ''}
						actor={actor}
						height={height}
						lane={{ ...lane, task: lane.task && lane.task + run }}
					/>
				);
			})}
			<RowName name={say('still to come')} height={heights.others} />
		</div>
	);
}

function RowName({ name, height = 24 }: { name: string; height?: number }) {
	if (height === 0) return null;
	return (
		<p className="px-3 text-muted text-small leading-6" style={{ height }}>
			{name}
		</p>
	);
}

const INDENT_PX = 10;

function LaneName({ lane: { level, task }, actor, height }: { lane: PlacedLane; actor: string; height: number }) {
	return (
		<div
			className="flex flex-col justify-center border-line/60 border-t pr-2"
			style={{ height: height + 2 * LANE_PX + 1, paddingLeft: 12 + Math.max(0, level - 1) * INDENT_PX }}
			title={visibleString(task ? `${actor}: ${task}` : actor)}
		>
			<span className="truncate leading-4">
				{level > 1 && <span className="text-muted">└ </span>}
				<AgentText className="font-medium">{actor}</AgentText>
			</span>
			{task && <AgentText className="truncate text-muted text-small leading-4">{task}</AgentText>}
		</div>
	);
}
