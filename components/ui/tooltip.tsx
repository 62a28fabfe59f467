import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** A short hint on hover and focus. It repeats nothing that must be known: touch never shows it. */
export function Tooltip({ hint, children }: { hint: ReactNode; children: ReactElement }) {
	return (
		<BaseTooltip.Root>
			<BaseTooltip.Trigger render={children} />
			<BaseTooltip.Portal>
				<BaseTooltip.Positioner sideOffset={6}>
					<BaseTooltip.Popup className="z-50 rounded border border-line bg-surface px-2 py-1 text-small shadow-lg">
						{hint}
					</BaseTooltip.Popup>
				</BaseTooltip.Positioner>
			</BaseTooltip.Portal>
		</BaseTooltip.Root>
	);
}
