import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

interface Choice<Value extends string> {
	value: Value;
	label: ReactNode;
}

interface ChoiceMenuProps<Value extends string> {
	trigger: ReactElement;
	label: string;
	value: Value;
	choices: readonly Choice<Value>[];
	onChoose: (value: Value) => void;
}

/** A menu of which one choice holds. */
export function ChoiceMenu<Value extends string>({ trigger, label, value, choices, onChoose }: ChoiceMenuProps<Value>) {
	return (
		<BaseMenu.Root>
			<BaseMenu.Trigger render={trigger} />
			<BaseMenu.Portal>
				<BaseMenu.Positioner sideOffset={4} align="end" className="z-50">
					<BaseMenu.Popup
						aria-label={label}
						className="max-h-80 min-w-36 overflow-auto rounded border border-line bg-surface py-1 shadow-lg outline-none"
					>
						<BaseMenu.RadioGroup value={value} onValueChange={(next: Value) => onChoose(next)}>
							{choices.map((choice) => (
								<BaseMenu.RadioItem
									key={choice.value}
									value={choice.value}
									closeOnClick
									className="flex h-7 items-center gap-2 px-3 text-ui outline-none data-highlighted:bg-hover"
								>
									<span className="w-3 text-accent">
										<BaseMenu.RadioItemIndicator>✓</BaseMenu.RadioItemIndicator>
									</span>
									{choice.label}
								</BaseMenu.RadioItem>
							))}
						</BaseMenu.RadioGroup>
					</BaseMenu.Popup>
				</BaseMenu.Positioner>
			</BaseMenu.Portal>
		</BaseMenu.Root>
	);
}
