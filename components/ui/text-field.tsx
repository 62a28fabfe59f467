import { type ComponentProps, useId } from 'react';
import { cn } from './cn.ts';

/** Styles of text fields and of the selects beside them. */
export const field =
	'h-7 max-w-full rounded border border-edge bg-surface px-2 placeholder:text-muted pointer-coarse:h-10';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
	label: string;
	/** The label is for screen readers only. */
	isBare?: boolean;
	value: string;
	onWrite: (text: string) => void;
}

/** A single-line text field with its label above. */
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
