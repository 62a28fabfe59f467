'use client';
import { type FormEvent, useId, useState } from 'react';
import type { GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { bodyOf, firstTerms, GrantTerms, type Terms } from './grants/grant-terms.tsx';
import { PreviewList } from './grants/preview-list.tsx';
import { usePreview } from './grants/use-preview.ts';

interface RememberFormProps {
	approvalId: string;
	/** What was typed as the reason so far. */
	reason: string;
	/** How far it may reach. */
	scopes: readonly GrantScope[];
	/** At a hub: where it holds. */
	machine: string | undefined;
	isBusy: boolean;
	onApprove: (terms: ReturnType<typeof bodyOf>) => void;
	onCancel: () => void;
}

/** Approves a call and, by a grant, later calls like it; what it reaches is shown first. */
export function RememberForm({ approvalId, reason, scopes, machine, isBusy, onApprove, onCancel }: RememberFormProps) {
	const say = useSay();
	const noteId = useId();
	const [terms, setTerms] = useState<Terms>(() => firstTerms('session', reason));
	const { preview, error } = usePreview({ approvalId }, terms.scope) ?? {};

	function submit(event: FormEvent) {
		event.preventDefault();
		if (!isBusy && preview && terms.reason.trim() !== '') onApprove(bodyOf(terms));
	}

	return (
		<form
			aria-label={say('Approve and remember')}
			onSubmit={submit}
			className="flex flex-col gap-2 rounded border border-edge p-3"
		>
			{preview && <PreviewList preview={preview} />}
			{error && (
				<p role="alert" className="text-warn">
					{say.known(error)}
				</p>
			)}
			<GrantTerms terms={terms} onChange={setTerms} noteId={noteId} offered={scopes} />
			{machine !== undefined && (
				<p className="text-muted">{say('It holds at {machine} alone, and ends with its membership.', { machine })}</p>
			)}
			<div className="flex flex-wrap gap-2">
				<Button
					type="submit"
					kind="primary"
					disabled={isBusy || !preview || terms.reason.trim() === ''}
					aria-describedby={noteId}
				>
					{say('Approve and remember')}
				</Button>
				<Button onClick={onCancel}>{say('Cancel')}</Button>
			</div>
		</form>
	);
}
