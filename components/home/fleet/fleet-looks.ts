import type { FleetLane } from './fleet-lane.tsx';

type What = FleetLane['moments'][number]['what'];
type Mark = Extract<What, 'denial' | 'mismatch' | 'decision'>;
type State = Exclude<What, Mark>;

/** States in the order of the legend. By height and pattern as well as by colour. */
export const stateLooks: readonly (readonly [Exclude<State, 'over'>, string])[] = [
	['working', 'top-1/4 h-1/2 bg-run'],
	['waiting', 'inset-y-0 border border-wait bg-wait/40'],
	['reviewed', 'top-1/4 h-1/2 border border-run stripes'],
	['failed', 'inset-y-0.5 bg-err'],
	['idle', 'top-1/2 h-px bg-edge'],
];

/** Marks in the order of the legend: what is drawn for each. */
export const markLooks: readonly (readonly [Mark, string, string])[] = [
	['denial', '✕', 'text-err'],
	['mismatch', '≠', 'text-warn'],
	['decision', '⚑', 'text-accent'],
];

export const stateLook = new Map<What, string>(stateLooks);
export const markLook = new Map<What, readonly [string, string]>(
	markLooks.map(([what, glyph, tone]) => [what, [glyph, tone]]),
);
