import type { Route } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { cn } from './cn.ts';

interface TextLinkProps<Path extends string> {
	href: Route<Path>;
	title?: string;
	className?: string;
	onClick?: () => void;
	children: ReactNode;
}

/** A link in a text, with room for a thumb. */
export function TextLink<Path extends string>({ href, className, children, ...props }: TextLinkProps<Path>) {
	return (
		<Link
			href={href}
			prefetch={false}
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
