import { cn } from './cn.ts';

export function Kbd({ children, className }: { children: string; className?: string }) {
	return (
		<kbd
			className={cn(
				'inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-raised px-1 font-mono text-muted text-small',
				className,
			)}
		>
			{children}
		</kbd>
	);
}
