import { cn } from './cn.ts';

interface ChoiceProps<Value extends string | null> {
	/** What is chosen, for whoever does not see it. */
	label: string;
	value: Value;
	choices: readonly { value: Value; label: string }[];
	onChoose: (value: Value) => void;
}

/** One of a few, side by side. */
export function Choice<Value extends string | null>({ label, value, choices, onChoose }: ChoiceProps<Value>) {
	return (
		<fieldset aria-label={label} className="flex">
			{choices.map((choice) => (
				<button
					key={choice.label}
					type="button"
					aria-pressed={choice.value === value}
					onClick={() => onChoose(choice.value)}
					className={cn(
						'h-6 border border-edge border-r-0 px-2.5 text-muted first:rounded-l last:rounded-r last:border-r hover:bg-hover pointer-coarse:h-10',
						choice.value === value && 'bg-selected text-text',
					)}
				>
					{choice.label}
				</button>
			))}
		</fieldset>
	);
}
