import type { Route } from 'next';
import type { ReactNode, Ref } from 'react';
import { StaleNote } from './answer-state.tsx';
import { cn } from './cn.ts';
import { TextLink } from './text-link.tsx';

interface PageProps {
	title: string;
	/** The purpose of the page in one sentence. */
	about?: ReactNode;
	/** Filters and actions for the whole page, beside the title. */
	aside?: ReactNode;
	/** Why the page could not be refreshed. */
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
					<h1 className="font-semibold text-page">{title}</h1>
					{aside}
				</div>
				{about && <p className="text-muted">{about}</p>}
				<StaleNote error={error} />
			</div>
			{children}
		</div>
	);
}

/** Replaces a page without content: the reason, and a link to continue. */
export function PageMessage(props: { title: string; href?: Route; link?: string; children: ReactNode }) {
	const { title, href, link, children } = props;
	return (
		<div className="mx-auto flex max-w-xl flex-col items-start gap-3 p-8 max-md:p-4">
			<h1 className="font-semibold text-page">{title}</h1>
			{children}
			{href && <TextLink href={href}>{link}</TextLink>}
		</div>
	);
}
