import type { ReactNode } from 'react';
import { useSay } from '../../language/use-say.ts';
import { Alert } from '../alert.tsx';
import { Button } from '../button.tsx';

interface DialogFootProps {
	/** Why the last try was refused. */
	refusal: string | null;
	onClose: () => void;
	/** The button that acts. */
	children: ReactNode;
}

/** The end of a dialog that does something: why it could not, a way out, and the act. */
export function DialogFoot({ refusal, onClose, children }: DialogFootProps) {
	const say = useSay();
	return (
		<>
			<Alert>{refusal}</Alert>
			<div className="flex justify-end gap-2">
				<Button onClick={onClose}>{say('Cancel')}</Button>
				{children}
			</div>
		</>
	);
}
