'use client';
import { type FormEvent, useId, useState } from 'react';
import type { GrantRecord, GrantSource } from '#lib/contract/approvals/grants.ts';
import { useSay } from '../../language/use-say.ts';
import { Button } from '../../ui/button.tsx';
import { makeGrant } from './grant-changes.ts';
import { bodyOf, firstTerms, GrantTerms } from './grant-terms.tsx';
import { PreviewList } from './preview-list.tsx';
import { usePreview } from './use-preview.ts';

interface GrantFormProps {
	/** The denied call. */
	source: GrantSource;
	onDone: (grant: GrantRecord) => void;
	onCancel: () => void;
}

/** Overrides a denial after the fact: what it reaches is shown before it can be made. */
export function GrantForm({ source, onDone, onCancel }: GrantFormProps) {
	const say = useSay();
	const noteId = useId();
	const [terms, setTerms] = useState(() => firstTerms());
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const reach = usePreview(source, terms.scope);
	const { preview, error } = reach ?? {};

	async function submit(event: FormEvent) {
		event.preventDefault();
		if (isBusy || !preview || terms.reason.trim() === '') return;
		setBusy(true);
		setRefusal(null);
		const answer = await makeGrant({ ...source, ...bodyOf(terms) });
		setBusy(false);
		if (answer.ok) onDone(answer.data.grant);
		else setRefusal(answer.message);
	}

	return (
		<form onSubmit={(event) => void submit(event)} className="flex flex-col gap-2">
			{!reach && <p className="text-muted">{say('What it would reach is being looked up…')}</p>}
			{preview && <PreviewList preview={preview} />}
			{error && (
				<p role="alert" className="text-warn">
					{say.known(error)}
				</p>
			)}
			<GrantTerms terms={terms} onChange={setTerms} noteId={noteId} />
			{refusal && (
				<p role="alert" className="text-warn">
					{say('{refusal} Nothing was allowed.', { refusal: say.known(refusal) })}
				</p>
			)}
			<div className="flex gap-2">
				<Button
					type="submit"
					kind="primary"
					disabled={isBusy || !preview || terms.reason.trim() === ''}
					aria-describedby={noteId}
				>
					{say('Allow it')}
				</Button>
				<Button onClick={onCancel}>{say('Cancel')}</Button>
			</div>
		</form>
	);
}
