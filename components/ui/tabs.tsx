import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps<Value extends string> {
	label: string;
	value: Value;
	onChoose: (value: Value) => void;
	tabs: readonly { value: Value; label: ReactNode }[];
	/** Right of the tabs, e.g. filters. */
	aside?: ReactNode;
	children: ReactNode;
}

/** Tabs over one panel; only the chosen one's content exists. */
export function Tabs<Value extends string>({ label, value, onChoose, tabs, aside, children }: TabsProps<Value>) {
	return (
		<BaseTabs.Root value={value} onValueChange={onChoose} className="flex min-h-0 flex-1 flex-col">
			<div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 border-line border-b px-4">
				<BaseTabs.List aria-label={label} className="flex h-9 pointer-coarse:h-10">
					{tabs.map((tab) => (
						<BaseTabs.Tab
							key={tab.value}
							value={tab.value}
							className="border-transparent border-b-2 px-2.5 text-muted hover:text-text data-active:border-accent data-active:text-text"
						>
							{tab.label}
						</BaseTabs.Tab>
					))}
				</BaseTabs.List>
				{aside}
			</div>
			<BaseTabs.Panel value={value} tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
				{children}
			</BaseTabs.Panel>
		</BaseTabs.Root>
	);
}
