import type { Plain } from '#lib/messages/say.ts';
import type { ToolFamily } from '#lib/timeline/lanes.ts';
import type { Span } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useNotes } from '../session/notes/notes-context.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { fills } from './lane-bars.tsx';

const legend: Record<ToolFamily, Plain> = {
	read: 'reads',
	edit: 'edits',
	run: 'runs#tool',
	agent: 'agents',
	other: 'other',
};

interface LaneToolbarProps {
	isOver: boolean;
	isFollowing: boolean;
	onZoom: (factor: number) => void;
	onWhole: () => void;
	onNow: () => void;
	/** What is in view, in ms. */
	view: Span;
}

const timeOf = ({ from, to }: Span) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });

/** What the keys of the lanes do, as buttons, and what the fills of bars mean. */
export function LaneToolbar({ isOver, isFollowing, onZoom, onWhole, onNow, view }: LaneToolbarProps) {
	const say = useSay();
	const { mayAdd, open } = useNotes();
	const patterns = say('striped is held, dotted held at most so long, empty waits for its sub-agent');
	return (
		<div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-1">
			<Button
				size="small"
				aria-label={say('Zoom out')}
				title={say('Zoom out (−, or Ctrl and the wheel)')}
				onClick={() => onZoom(2)}
			>
				−
			</Button>
			<Button
				size="small"
				aria-label={say('Zoom in')}
				title={say('Zoom in (+, or Ctrl and the wheel)')}
				onClick={() => onZoom(0.5)}
			>
				+
			</Button>
			<Button size="small" title={say('The whole session (0)')} onClick={onWhole}>
				{say('Whole')}
			</Button>
			<Button size="small" title={say('The newest (End)')} disabled={isFollowing} onClick={onNow}>
				{isOver ? say('End') : say('Now')}
			</Button>
			<ul
				aria-label={say('Legend')}
				title={patterns}
				className="flex flex-wrap items-center gap-x-3 text-muted text-small max-md:hidden"
			>
				{(Object.keys(legend) as ToolFamily[]).map((family) => (
					<li key={family} className="flex items-center gap-1">
						<span aria-hidden className={cn('inline-block size-3 rounded-xs border border-edge/60', fills[family])} />
						{say(legend[family])}
					</li>
				))}
				<li className="sr-only">{patterns}</li>
			</ul>
			{mayAdd && (
				<Button
					size="small"
					className="ml-auto"
					title={say('Drag over the whole session to choose a stretch')}
					onClick={() => open(timeOf(view))}
				>
					{say('Note on what is in view')}
				</Button>
			)}
		</div>
	);
}
