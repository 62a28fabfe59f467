import type { Route } from 'next';
import type { ReactNode, Ref } from 'react';
import { StaleNote } from './answer-state.tsx';
import { cn } from './cn.ts';
import { TextLink } from './text-link.tsx';

interface PageProps {
	title: string;
	/** What the page is for, in a sentence. */
	about?: ReactNode;
	/** Beside the title: what narrows or acts on all of it. */
	aside?: ReactNode;
	/** Why it could not be asked for again. */
	error?: string | null;
	className?: string;
	ref?: Ref<HTMLDivElement>;
	children: ReactNode;
}

export function Page({ title, about, aside, error = null, className, ref, children }: PageProps) {
	return (
		<div ref={ref} className={cn('mx-auto flex max-w-5xl flex-col gap-4 p-4 pb-8', className)}>
			<div>
				<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
					<h1 className="font-semibold text-title">{title}</h1>
					{aside}
				</div>
				{about && <p className="text-muted">{about}</p>}
				<StaleNote error={error} />
			</div>
			{children}
		</div>
	);
}

/** In the place of a page that has nothing to show: why, and the way on. */
export function PageMessage(props: { title: string; href?: Route; link?: string; children: ReactNode }) {
	const { title, href, link, children } = props;
	return (
		<div className="mx-auto flex max-w-xl flex-col items-start gap-3 p-8 max-md:p-4">
			<h1 className="font-semibold text-title">{title}</h1>
			{children}
			{href && <TextLink href={href}>{link}</TextLink>}
		</div>
	);
}
