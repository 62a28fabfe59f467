import { cn } from './cn.ts';

interface ChoiceProps<Value extends string | number | boolean | null> {
	label: string;
	value: Value;
	choices: readonly { value: Value; label: string }[];
	onChoose: (value: Value) => void;
}

/** A group of options side by side, one of them selected. */
export function Choice<Value extends string | number | boolean | null>({
	label,
	value,
	choices,
	onChoose,
}: ChoiceProps<Value>) {
	return (
		<fieldset aria-label={label} className="flex shrink-0 flex-wrap">
			{choices.map((choice) => (
				<button
					key={choice.label}
					type="button"
					aria-pressed={choice.value === value}
					onClick={() => onChoose(choice.value)}
					className={cn(
						'h-6 border border-edge border-r-0 px-2.5 text-muted first:rounded-l last:rounded-r last:border-r hover:bg-hover pointer-coarse:h-10 pointer-coarse:min-w-10',
						choice.value === value && 'bg-selected text-text',
					)}
				>
					{choice.label}
				</button>
			))}
		</fieldset>
	);
}
