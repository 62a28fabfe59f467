import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { cva } from 'class-variance-authority';
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { useSay } from '../../language/use-say.ts';
import { Alert } from '../answer-state.tsx';
import { Button } from '../button.tsx';
import { ConnectionWord } from '../connection-word.tsx';

const popup = cva(
	'fixed z-50 flex flex-col border-line outline-none bg-surface shadow-lg transition-[opacity,translate] data-ending-style:opacity-0 data-starting-style:opacity-0',
	{
		variants: {
			side: {
				center:
					'top-16 left-1/2 max-h-[calc(100dvh-8rem)] w-[32rem] max-w-[calc(100vw-2rem)] -translate-x-1/2 rounded-md border',
				wide: 'top-16 left-1/2 max-h-[calc(100dvh-8rem)] w-[40rem] max-w-[calc(100vw-2rem)] -translate-x-1/2 rounded-md border md:*:first:hidden',
				bottom:
					'inset-x-0 bottom-0 max-h-[88dvh] rounded-t-md border-t pb-[env(safe-area-inset-bottom)] *:first:absolute *:first:top-1 *:first:right-1 *:first:z-10 *:first:border-0 *:first:px-0 *:first:[&_button]:size-11 *:first:[&_button]:border-0 *:first:*:[h2]:sr-only',
			},
		},
	},
);

interface DialogProps {
	title: string;
	onClose: () => void;
	/** `bottom` is a sheet for narrow screens; its content shows a title of its own. `wide` has a head on phones alone. */
	side?: 'center' | 'wide' | 'bottom';
	/** Element to focus first; by default the first focusable one, in a sheet the sheet. */
	initialFocus?: RefObject<HTMLElement | null>;
	children: ReactNode;
}

/** A modal dialog or bottom sheet, open while mounted. Closing it restores the focus. */
export function Dialog({ title, onClose, side = 'center', initialFocus, children }: DialogProps) {
	const say = useSay();
	const own = useRef<HTMLDivElement>(null);
	return (
		<BaseDialog.Root open onOpenChange={(stays) => !stays && onClose()}>
			<BaseDialog.Portal>
				<BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
				<BaseDialog.Popup
					ref={own}
					className={popup({ side })}
					initialFocus={initialFocus ?? (side !== 'bottom' || own)}
				>
					<div className="flex min-h-11 shrink-0 items-center gap-3 border-line border-b px-4">
						<BaseDialog.Title className="mr-auto font-semibold text-ui">{title}</BaseDialog.Title>
						{/* The top bar, which also shows this, is covered by the dialog. */}
						<ConnectionWord isOnlyTrouble />
						<BaseDialog.Close aria-label={say('Close')} render={<Button size="small" />}>
							{side === 'bottom' ? '✕' : say('Close')}
						</BaseDialog.Close>
					</div>
					<div className="min-h-0 overflow-auto">{children}</div>
				</BaseDialog.Popup>
			</BaseDialog.Portal>
		</BaseDialog.Root>
	);
}

export function DialogFoot(props: { refusal: string | null; onClose: () => void; children: ReactNode }) {
	const { refusal, onClose, children } = props;
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

interface Action {
	name: string;
	/** Confirmation step: its text, and the label of the confirming button. Absent: runs at once. */
	sure?: { means: string; name: string; isDanger: boolean };
	/** Resolves to whether it succeeded. */
	run: () => Promise<boolean>;
}

export function DialogActions(props: { actions: readonly Action[]; isBusy: boolean; refusal: string | null }) {
	const { actions, isBusy, refusal } = props;
	const [chosen, setChosen] = useState<string | null>(null);
	const { sure, run } = actions.find(({ name }) => name === chosen) ?? {};
	if (!sure || !run) {
		return (
			<div className="flex justify-end gap-2 border-line border-t p-4">
				{actions.map((action) => (
					<Button
						key={action.name}
						disabled={isBusy}
						onClick={() => (action.sure ? setChosen(action.name) : void action.run())}
					>
						{action.name}
					</Button>
				))}
			</div>
		);
	}
	return (
		<div className="flex flex-col gap-3 border-line border-t p-4">
			<p role="status">{sure.means}</p>
			<DialogFoot refusal={refusal} onClose={() => setChosen(null)}>
				<Button
					kind={sure.isDanger ? 'danger' : 'primary'}
					disabled={isBusy}
					autoFocus
					onClick={() => void run().then((isDone) => isDone && setChosen(null))}
				>
					{sure.name}
				</Button>
			</DialogFoot>
		</div>
	);
}

interface ActionDialogProps {
	title: string;
	action: string;
	kind?: 'primary' | 'danger';
	disabled?: boolean;
	refusal: string | null;
	onAct: () => void;
	onClose: () => void;
	children: ReactNode;
}

/** A dialog with one action, which Enter runs as well. */
export function ActionDialog(props: ActionDialogProps) {
	const { title, action, kind = 'primary', disabled = false, refusal, onAct, onClose, children } = props;
	function submit(event: FormEvent) {
		event.preventDefault();
		if (!disabled) onAct();
	}
	return (
		<Dialog title={title} onClose={onClose}>
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
