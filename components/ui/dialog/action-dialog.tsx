import type { FormEvent, ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { DialogFoot } from './dialog-foot.tsx';

interface ActionDialogProps {
	title: string;
	/** What the button that acts is called. */
	action: string;
	kind?: 'primary' | 'danger';
	disabled?: boolean;
	/** Why the last try was refused. */
	refusal: string | null;
	onAct: () => void;
	onClose: () => void;
	/** What is asked, and what acting means. */
	children: ReactNode;
}

/** Asks before something is done, and says why it could not be. */
export function ActionDialog(props: ActionDialogProps) {
	const { title, action, kind = 'primary', disabled = false, refusal, onAct, onClose, children } = props;
	function submit(event: FormEvent) {
		event.preventDefault();
		if (!disabled) onAct();
	}
	return (
		<Dialog title={title} open onOpenChange={(stays) => !stays && onClose()}>
			<form onSubmit={submit} className="flex flex-col gap-3 p-4">
				{children}
				<DialogFoot refusal={refusal} onClose={onClose}>
					<Button type="submit" kind={kind} disabled={disabled}>
						{action}
					</Button>
				</DialogFoot>
			</form>
		</Dialog>
	);
}
