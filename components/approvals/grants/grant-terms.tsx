import { useId, useState } from 'react';
import type { GrantBody, GrantPreview, GrantSource } from '#lib/contract/approvals/grants.ts';
import type { GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../../language/use-say.ts';
import { useCan } from '../../live/hub.tsx';
import { rowAddress } from '../../row/addresses.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { PastLink } from '../../ui/past-link.tsx';
import { Select } from '../../ui/select.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { usePreview } from './use-grants.ts';

interface Terms {
	scope: GrantScope;
	/** Seconds. */
	expiresIn: number;
	reason: string;
}

const HOUR = 3600;
const DAY = 24 * HOUR;

const scopes: readonly { scope: GrantScope; label: Plain; expiresIn: number }[] = [
	{ scope: 'once', label: 'The next try', expiresIn: HOUR },
	{ scope: 'session', label: 'This session', expiresIn: 8 * HOUR },
	{ scope: 'project', label: 'This project, all sessions', expiresIn: DAY },
];

const ends: readonly { value: number; label: Plain }[] = [
	{ value: HOUR, label: '1 hour' },
	{ value: 8 * HOUR, label: '8 hours' },
	{ value: DAY, label: '1 day' },
	{ value: 7 * DAY, label: '7 days' },
	{ value: 30 * DAY, label: '30 days' },
];

export const firstTerms = (scope: GrantScope = 'once', reason = ''): Terms => ({
	scope,
	expiresIn: scopes.find((each) => each.scope === scope)?.expiresIn ?? HOUR,
	reason,
});

export type GrantBodyTerms = Pick<GrantBody, 'scope' | 'expiresInSeconds' | 'reason'>;

const bodyOf = ({ scope, expiresIn, reason }: Terms): GrantBodyTerms => ({
	...{ scope, expiresInSeconds: expiresIn, reason: reason.trim() },
});

interface GrantFormProps {
	source: GrantSource;
	/** What the terms are at first. */
	terms?: Terms;
	offered: readonly GrantScope[];
	action: string;
	isBusy: boolean;
	/** A further sentence about it. */
	note?: string | undefined;
	onAct: (body: GrantBodyTerms) => void;
	onCancel: () => void;
}

/** Scope, end and reason of a grant, and what it would reach. There is no grant without an end. */
export function GrantForm({ source, terms: first, offered, action, isBusy, note, onAct, onCancel }: GrantFormProps) {
	const say = useSay();
	const name = useId();
	const noteId = useId();
	const [terms, setTerms] = useState(() => first ?? firstTerms());
	const reach = usePreview(source, terms.scope);
	const { preview, error } = reach ?? {};
	const canAct = !isBusy && preview !== undefined && terms.reason.trim() !== '';
	return (
		<form
			aria-label={action}
			onSubmit={(event) => {
				event.preventDefault();
				if (canAct) onAct(bodyOf(terms));
			}}
			className="flex flex-col gap-2"
		>
			{!reach && <p className="text-muted">{say('What it would reach is being looked up…')}</p>}
			{preview && <PreviewList preview={preview} />}
			<Alert>{error}</Alert>
			<fieldset className="flex flex-wrap gap-x-4 gap-y-1">
				<legend className="text-muted">{say('Allow it for')}</legend>
				{scopes
					.filter(({ scope }) => offered.includes(scope))
					.map(({ scope, label, expiresIn }) => (
						<label key={scope} className="flex min-h-7 items-center gap-1.5 pointer-coarse:min-h-10">
							<input
								type="radio"
								name={name}
								className="accent-accent"
								checked={terms.scope === scope}
								onChange={() => setTerms({ ...terms, scope, expiresIn })}
							/>
							{say(label)}
						</label>
					))}
			</fieldset>
			<Select
				isNamed
				label={say('Ends after')}
				value={String(terms.expiresIn)}
				choices={ends.map(({ value, label }) => ({ value: String(value), label: say(label) }))}
				onChoose={(value) => setTerms({ ...terms, expiresIn: Number(value) })}
			/>
			<TextField
				label={say('Reason (kept in the record)')}
				required
				value={terms.reason}
				maxLength={2000}
				aria-describedby={noteId}
				onWrite={(reason) => setTerms({ ...terms, reason })}
			/>
			<p id={noteId} className="text-muted empty:hidden">
				{terms.reason.trim() === '' && say('A reason is required: write one to go on.')}
			</p>
			{note && <p className="text-muted">{note}</p>}
			<div className="flex flex-wrap gap-2">
				<Button type="submit" kind="primary" disabled={!canAct} aria-describedby={noteId}>
					{action}
				</Button>
				<Button onClick={onCancel}>{say('Cancel')}</Button>
			</div>
		</form>
	);
}

function PreviewList({ preview }: { preview: GrantPreview }) {
	const say = useSay();
	const canRejudge = useCan('rejudge');
	const { words, calls, count, more } = preview;
	return (
		<div className="flex flex-col gap-1">
			<p>
				<span className="text-muted">{say('It lets run: ')}</span>
				<AgentText className="font-medium [overflow-wrap:anywhere]">{words.join(say('; and '))}</AgentText>
			</p>
			{canRejudge && (
				<a
					href="/rejudge"
					target="_blank"
					rel="noreferrer"
					className="inline-flex min-h-6 items-center text-accent hover:underline"
				>
					{say('Try other settings on history')}
				</a>
			)}
			<details>
				<summary className="flex min-h-7 items-center text-accent">
					{more
						? say('It would have overridden {count} recorded {count:denial|denials} of the newest 5,000', { count })
						: say('It would have overridden {count} recorded {count:denial|denials}', { count })}
				</summary>
				<ul className="max-h-60 overflow-auto border-line border-t">
					{calls.map(({ sessionId, toolUseId, at, title, reason, project }) => (
						<li key={`${sessionId} ${toolUseId} ${at}`} className="border-line border-b">
							<PastLink at={at} href={rowAddress(sessionId, toolUseId ? `call:${toolUseId}` : undefined)}>
								<span className="truncate">
									<AgentText className="text-muted">{project ?? sessionId}</AgentText>{' '}
									<AgentText>{title || reason}</AgentText>
								</span>
							</PastLink>
						</li>
					))}
				</ul>
				{count > calls.length && (
					<p className="text-muted">{say('… and {count} more', { count: count - calls.length })}</p>
				)}
			</details>
		</div>
	);
}
