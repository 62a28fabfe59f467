import type { ReactNode } from 'react';
import { cn } from './cn.ts';
import { useNarrow } from './use-size.ts';

interface PartProps {
	title: string;
	count?: number | undefined;
	aside?: ReactNode;
	note?: string | undefined;
	/** In a dialog, whose title is the heading above. */
	isInDialog?: boolean;
	isList?: boolean;
	anchor?: string;
	className?: string;
	children: ReactNode;
}

/** A section of a page with a small heading. */
export function Part(props: PartProps) {
	const { title, count, aside, note, isInDialog = false, isList = false, anchor, className, children } = props;
	const Head = isInDialog ? 'h3' : 'h2';
	return (
		<section
			id={anchor}
			aria-label={title}
			className={cn('min-w-0 scroll-mt-14', isInDialog && 'flex flex-col gap-2 border-line border-t p-4', className)}
		>
			<div className="flex flex-wrap items-center gap-x-4 pb-1">
				<Head className="mr-auto font-semibold">
					{title} {count !== undefined && <span className="font-normal text-muted">{count}</span>}
				</Head>
				{aside}
			</div>
			{note && <p className="pb-1 text-muted">{note}</p>}
			{isList ? <ul className="border-line border-t empty:hidden">{children}</ul> : children}
		</section>
	);
}

interface FoldProps {
	title: ReactNode;
	isOpen?: boolean;
	className?: string;
	titleClassName?: string;
	children: ReactNode;
}

/** A collapsible section for details. */
export function Fold({ title, isOpen, className, titleClassName, children }: FoldProps) {
	return (
		<details open={isOpen} className={className}>
			<summary
				className={cn(
					'min-h-7 w-fit text-accent hover:underline pointer-coarse:min-h-10 pointer-coarse:min-w-10',
					titleClassName,
				)}
			>
				{title}
			</summary>
			{children}
		</details>
	);
}

/** Folded on narrow screens alone. */
export function NarrowFold(props: Omit<FoldProps, 'isOpen' | 'titleClassName'>) {
	const isNarrow = useNarrow();
	const title = isNarrow && props.title;
	return <Fold {...props} title={title} isOpen={!isNarrow} titleClassName="max-w-full min-[900px]:hidden" />;
}
