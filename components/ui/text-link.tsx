import type { Route } from 'next';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn.ts';

interface TextLinkProps<Path extends string> {
	href: Route<Path>;
	title?: string;
	/** Accessible name, if the text alone is not clear. */
	label?: string;
	className?: string;
	onClick?: () => void;
	children: ReactNode;
}

/** A link to a page of ours. Pages are rendered for each request, so Next could prefetch only their route, without content. */
export function PageLink<Path>(props: ComponentProps<typeof Link<Path>>) {
	return <Link {...props} prefetch={false} />;
}

/** A count that links to the counted items; `label` names the target. Plain text if 0. */
export function CountLink({ count, href, label }: { count: number; href: string; label: string }) {
	if (count === 0) return count;
	return (
		<TextLink href={href as Route} label={label} className="min-w-6 justify-end">
			{count}
		</TextLink>
	);
}

/** A link within text, with a touch target. */
export function TextLink<Path extends string>({ href, label, className, children, ...props }: TextLinkProps<Path>) {
	return (
		<PageLink
			href={href}
			aria-label={label}
			className={cn(
				'inline-flex min-h-6 items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-10',
				className,
			)}
			{...props}
		>
			{children}
		</PageLink>
	);
}
