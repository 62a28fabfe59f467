import { useId, useState } from 'react';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import { countUnseen } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { type ChangedField, changedFields, readEdited } from './changed-fields.ts';

interface EditInputProps {
	/** The input as the agent sent it. */
	input: unknown;
	/** What the gates said against it when it was sent, beside what the card lists. */
	denied: readonly Denial[];
	isBusy: boolean;
	/** `seen`: denials of the changed input that are to be overridden, too. */
	onApprove: (updatedInput: Record<string, unknown>, seen?: readonly Denial[]) => void;
	onCancel: () => void;
}

/** Approves a call with another input: the JSON to edit, and what the edit changes. */
export function EditInput({ input, denied, isBusy, onApprove, onCancel }: EditInputProps) {
	const say = useSay();
	const id = useId();
	const [text, setText] = useState(() => JSON.stringify(input, null, 2));
	const edited = readEdited(text, say);
	const changes = edited.ok ? changedFields(input, edited.input) : [];
	const unseen = countUnseen(text);
	return (
		<section aria-label={say('Edit the input')} className="flex flex-col gap-2 rounded border border-edge p-3">
			<label htmlFor={id} className="text-muted">
				{say('Input (JSON)')}
			</label>
			<textarea
				id={id}
				value={text}
				spellCheck={false}
				rows={Math.min(16, text.split('\n').length + 1)}
				aria-invalid={!edited.ok}
				aria-describedby={`${id}-said`}
				onChange={(event) => setText(event.target.value)}
				className="rounded border border-edge bg-surface p-2 font-mono text-mono"
			/>
			<div id={`${id}-said`} aria-live="polite">
				{!edited.ok && <p className="text-warn">{edited.message}</p>}
				{unseen > 0 && (
					<p className="text-warn">
						{say('{unseen} {unseen:character|characters} in it would not be seen', { unseen })}
					</p>
				)}
				{edited.ok && changes.length === 0 && <p className="text-muted">{say('Nothing is changed yet.')}</p>}
				{changes.map((change) => (
					<Change key={change.name} change={change} />
				))}
			</div>
			<div className="flex flex-wrap gap-2">
				<Button
					kind="primary"
					disabled={isBusy || !edited.ok || changes.length === 0}
					onClick={() => edited.ok && onApprove(edited.input)}
				>
					{changes.length === 0
						? say('Approve with no changes')
						: changes.length === 1
							? say('Approve with this change')
							: say('Approve with {count} changes', { count: changes.length })}
				</Button>
				{denied.length > 0 && (
					<Button
						kind="danger"
						disabled={isBusy || !edited.ok}
						onClick={() => edited.ok && onApprove(edited.input, denied)}
					>
						<AgentText>
							{say('Approve despite {rules}', { rules: denied.map(({ rule }) => rule).join(say(' and ')) })}
						</AgentText>
					</Button>
				)}
				<Button onClick={onCancel}>{say('Cancel')}</Button>
			</div>
		</section>
	);
}

function Change({ change: { name, before, after } }: { change: ChangedField }) {
	const say = useSay();
	return (
		<div className="border-line border-t py-1">
			<AgentText className="text-muted text-small">{name}</AgentText>
			{before !== null && (
				<p className="flex gap-2">
					<span className="w-10 shrink-0 text-err">{say('was')}</span>
					<AgentText block className="line-clamp-6 min-w-0">
						{before}
					</AgentText>
				</p>
			)}
			<p className="flex gap-2">
				<span className="w-10 shrink-0 text-ok">{say('now')}</span>
				{after === null ? (
					<span className="text-muted">{say('left out')}</span>
				) : (
					<AgentText block className="min-w-0">
						{after}
					</AgentText>
				)}
			</p>
		</div>
	);
}
