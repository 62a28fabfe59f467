import { visibleString } from '#lib/text/visible-text.ts';
import { cn } from './cn.ts';
import { field } from './text-field.tsx';

interface SelectProps {
	label: string;
	/** Also shows the label above the list. */
	isNamed?: boolean;
	value: string;
	/** Labels may be agent text. */
	choices: readonly { value: string; label: string }[];
	onChoose: (value: string) => void;
	className?: string;
}

/** A native select: works by keyboard, touch and typing without extra code. */
export function Select({ label, isNamed = false, value, choices, onChoose, className }: SelectProps) {
	const list = (
		<select
			aria-label={label}
			value={value}
			onChange={(event) => onChoose(event.target.value)}
			className={cn(
				'h-6 max-w-44 rounded border border-transparent bg-surface px-1 hover:bg-hover pointer-coarse:h-10',
				isNamed && field,
				className,
			)}
		>
			{choices.map((choice) => (
				<option key={choice.value} value={choice.value}>
					{visibleString(choice.label)}
				</option>
			))}
		</select>
	);
	if (!isNamed) return list;
	return (
		<div className="flex flex-col gap-1">
			<span aria-hidden>{label}</span>
			{list}
		</div>
	);
}
