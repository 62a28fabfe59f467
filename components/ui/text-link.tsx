import type { Route } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { cn } from './cn.ts';

interface TextLinkProps<Path extends string> {
	href: Route<Path>;
	title?: string;
	/** What it is called, where its text alone does not say. */
	label?: string;
	className?: string;
	onClick?: () => void;
	children: ReactNode;
}

/** A number that leads to what it counts; `label` says where. Nothing to follow where it is 0. */
export function CountLink({ count, href, label }: { count: number; href: string; label: string }) {
	if (count === 0) return count;
	return (
		<TextLink href={href as Route} label={label} className="min-w-6 justify-end">
			{count}
		</TextLink>
	);
}

/** A link in a text, with room for a thumb. */
export function TextLink<Path extends string>({ href, label, className, children, ...props }: TextLinkProps<Path>) {
	return (
		<Link
			href={href}
			prefetch={false}
			aria-label={label}
			className={cn(
				'inline-flex min-h-6 items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-10',
				className,
			)}
			{...props}
		>
			{children}
		</Link>
	);
}
