import { type ComponentProps, useId } from 'react';
import { cn } from './cn.ts';

/** How a line to write in looks, and what is chosen from beside one. */
export const field =
	'h-7 max-w-full rounded border border-edge bg-surface px-2 placeholder:text-muted pointer-coarse:h-10';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
	label: string;
	/** The label is heard, not seen. */
	isBare?: boolean;
	value: string;
	onWrite: (text: string) => void;
}

/** A line to write in, under its name. */
export function TextField({ label, isBare = false, value, onWrite, className, ...props }: TextFieldProps) {
	const id = useId();
	const line = (
		<input
			id={id}
			aria-label={isBare ? label : undefined}
			value={value}
			onChange={({ target }) => onWrite(target.value)}
			className={cn(field, className)}
			{...props}
		/>
	);
	if (isBare) return line;
	return (
		<div className="flex flex-col gap-1">
			<label htmlFor={id}>{label}</label>
			{line}
		</div>
	);
}
