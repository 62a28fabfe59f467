import { visibleString } from '#lib/text/visible-text.ts';
import { cn } from './cn.ts';
import { field } from './text-field.tsx';

interface SelectProps {
	label: string;
	/** The label stands above it, too. */
	isNamed?: boolean;
	value: string;
	/** The labels may be text of agents. */
	choices: readonly { value: string; label: string }[];
	onChoose: (value: string) => void;
	className?: string;
}

/** The platform's own list of choices: it works by keyboard, by thumb and by typing, and weighs nothing. */
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
