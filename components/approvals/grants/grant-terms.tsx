import { useId, useState } from 'react';
import type { GrantBody, GrantPreview, GrantSource } from '#lib/contract/approvals/grants.ts';
import type { GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../../language/use-say.ts';
import { useCan } from '../../live/hub.tsx';
import { useRoute } from '../../live/use-answer.ts';
import { rowAddress } from '../../row/addresses.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Fold } from '../../ui/part.tsx';
import { Select } from '../../ui/select.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { When } from '../../ui/when.tsx';

const HOUR = 3600;
const DAY = 24 * HOUR;

const scopes: Record<GrantScope, { label: Plain; expiresInSeconds: number }> = {
	once: { label: 'The next try', expiresInSeconds: HOUR },
	session: { label: 'This session', expiresInSeconds: 8 * HOUR },
	project: { label: 'This project, all sessions', expiresInSeconds: DAY },
};

const ends: readonly { value: number; label: Plain }[] = [
	{ value: HOUR, label: '1 hour' },
	{ value: 8 * HOUR, label: '8 hours' },
	{ value: DAY, label: '1 day' },
	{ value: 7 * DAY, label: '7 days' },
	{ value: 30 * DAY, label: '30 days' },
];

export type GrantBodyTerms = Pick<GrantBody, 'scope' | 'expiresInSeconds' | 'reason'>;

const FIRST = { scope: 'once', reason: '' } as const;

interface GrantFormProps {
	source: GrantSource;
	/** Initial values of the form. */
	first?: Pick<GrantBodyTerms, 'scope' | 'reason'>;
	offered: readonly GrantScope[];
	action: string;
	isBusy: boolean;
	/** An additional sentence below the form. */
	note?: string | undefined;
	onAct: (body: GrantBodyTerms) => void;
	onCancel: () => void;
}

/** Form for scope, expiry and reason of a grant, with a preview of what it covers. Every grant has an expiry. */
export function GrantForm({ source, first = FIRST, offered, action, isBusy, note, onAct, onCancel }: GrantFormProps) {
	const say = useSay();
	const name = useId();
	const noteId = useId();
	const [terms, setTerms] = useState({ ...scopes[first.scope], ...first });
	const query = { ...source, scope: terms.scope };
	const { data: reach, error } = useRoute('GET /api/grants/preview', { query }, { keepsLast: true });
	const canAct = !isBusy && reach !== null && error === null && terms.reason.trim() !== '';
	return (
		<form
			aria-label={action}
			onSubmit={(event) => {
				event.preventDefault();
				const { scope, expiresInSeconds, reason } = terms;
				if (canAct) onAct({ scope, expiresInSeconds, reason: reason.trim() });
			}}
			className="flex flex-col gap-2"
		>
			{!reach && !error && <p className="text-muted">{say('What it would reach is being looked up…')}</p>}
			{reach && <PreviewList preview={reach.preview} />}
			<Alert>{error}</Alert>
			<fieldset className="flex flex-wrap gap-x-4 gap-y-1">
				<legend className="text-muted">{say('Allow it for')}</legend>
				{offered.map((scope) => (
					<label key={scope} className="flex min-h-7 items-center gap-1.5 pointer-coarse:min-h-10">
						<input
							type="radio"
							name={name}
							className="accent-accent"
							checked={terms.scope === scope}
							onChange={() => setTerms({ ...terms, ...scopes[scope], scope })}
						/>
						{say(scopes[scope].label)}
					</label>
				))}
			</fieldset>
			<Select
				isNamed
				label={say('Ends after')}
				value={String(terms.expiresInSeconds)}
				choices={ends.map(({ value, label }) => ({ value: String(value), label: say(label) }))}
				onChoose={(value) => setTerms({ ...terms, expiresInSeconds: Number(value) })}
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
			<Fold
				title={
					more
						? say('It would have overridden {count} recorded {count:denial|denials} of the newest 5,000', { count })
						: say('It would have overridden {count} recorded {count:denial|denials}', { count })
				}
			>
				<ul className="max-h-60 overflow-auto border-line border-t">
					{calls.map(({ sessionId, toolUseId, at, title, reason, project }) => (
						<li key={`${sessionId} ${toolUseId} ${at}`} className="border-line border-b">
							<TextLink
								href={rowAddress(sessionId, toolUseId ? `call:${toolUseId}` : undefined)}
								className="w-full gap-x-3 text-text"
							>
								<When at={at} />
								<AgentText className="text-muted">{project ?? sessionId}</AgentText>
								<AgentText className="truncate">{title || reason}</AgentText>
							</TextLink>
						</li>
					))}
				</ul>
				{count > calls.length && (
					<p className="text-muted">{say('… and {count} more', { count: count - calls.length })}</p>
				)}
			</Fold>
		</div>
	);
}
