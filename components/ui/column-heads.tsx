import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from './cn.ts';

/** Heads of a list whose rows are grids. The rows name their cells themselves where a reader cannot see the heads. */
export function ColumnHeads({ names, className }: { names: readonly Plain[]; className: string }) {
	const say = useSay();
	return (
		<div aria-hidden className={cn('h-7 items-center text-muted text-small', className)}>
			{names.map((name) => (
				<span key={name}>{say(name)}</span>
			))}
		</div>
	);
}
