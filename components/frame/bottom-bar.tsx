'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { isAt } from '../ui/keys/page-links.ts';
import { WaitingCount } from './top-bar.tsx';
import { usePageLinks } from './use-page-links.ts';

/** More words than these do not fit beside each other at their own size. */
const MOST_AT_ONCE = 6;

/** The pages on narrow screens, within reach of a thumb. */
export function BottomBar({ waiting }: { waiting: number }) {
	const say = useSay();
	const path = usePathname();
	const places = usePageLinks();
	return (
		<nav
			aria-label={say('Pages')}
			className="flex shrink-0 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden print:hidden"
		>
			{places.map(({ href, label, icon }) => (
				<Link
					key={href}
					href={href}
					aria-current={isAt(href, path) ? 'page' : undefined}
					className={cn(
						'flex h-12 min-w-0 flex-1 flex-col-reverse items-center justify-center text-muted text-small',
						isAt(href, path) && 'text-accent',
					)}
				>
					<span className={places.length > MOST_AT_ONCE ? 'max-sm:text-[10px]' : 'max-[379px]:text-[10px]'}>
						{say(label)}
					</span>
					<span className="flex items-center gap-1">
						<svg aria-hidden="true" viewBox="0 0 24 24" className="size-5 fill-none stroke-2 stroke-current">
							<path d={icon} />
						</svg>
						{href === '/approvals' && waiting > 0 && <WaitingCount count={waiting} />}
					</span>
				</Link>
			))}
		</nav>
	);
}
