import type { Route } from 'next';
import type { ReactNode } from 'react';
import { TextLink } from './text-link.tsx';

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
