/** A key as printed on the keyboard. */
export function Kbd({ children }: { children: string }) {
	return (
		<kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-raised px-1 font-mono text-muted text-small">
			{children}
		</kbd>
	);
}
