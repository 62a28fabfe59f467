import { momentWords } from '#lib/fleet/fleet.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { markLooks, stateLooks } from './fleet-looks.ts';

/** What the lanes' colours, heights and marks mean. */
export function FleetLegend() {
	const say = useSay();
	return (
		<ul aria-label={say('What the lanes show')} className="hidden flex-wrap gap-x-3 text-muted text-small md:flex">
			{stateLooks.map(([state, look]) => (
				<li key={state} className="flex items-center gap-1">
					<span aria-hidden className="relative inline-block h-2.5 w-3">
						<span className={cn('absolute inset-x-0', look)} />
					</span>
					{say(momentWords(state))}
				</li>
			))}
			{markLooks.map(([mark, glyph, tone]) => (
				<li key={mark} className="flex items-center gap-1">
					<span aria-hidden className={tone}>
						{glyph}
					</span>
					{say(momentWords(mark))}
				</li>
			))}
		</ul>
	);
}
