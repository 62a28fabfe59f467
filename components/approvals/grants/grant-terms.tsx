import Link from 'next/link';
import { useId } from 'react';
import type { GrantBody, GrantPreview } from '#lib/contract/approvals/grants.ts';
import type { GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../../language/use-say.ts';
import { useCan } from '../../live/hub.tsx';
import { rowAddress } from '../../row/addresses.ts';
import { Select } from '../../ui/select.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { When } from '../../ui/when.tsx';

export interface Terms {
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

export const bodyOf = ({
	scope,
	expiresIn,
	reason,
}: Terms): Pick<GrantBody, 'scope' | 'expiresInSeconds' | 'reason'> => ({
	scope,
	expiresInSeconds: expiresIn,
	reason: reason.trim(),
});

interface GrantTermsProps {
	terms: Terms;
	onChange: (terms: Terms) => void;
	offered?: readonly GrantScope[];
	/** Of the note that says what is missing; the button that waits for it names it, too. */
	noteId: string;
}

/** Scope, end and reason of a grant. There is no grant without an end. */
export function GrantTerms({ terms, onChange, noteId, offered = ['once', 'session', 'project'] }: GrantTermsProps) {
	const say = useSay();
	const name = useId();
	return (
		<div className="flex flex-col gap-2">
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
								onChange={() => onChange({ ...terms, scope, expiresIn })}
							/>
							{say(label)}
						</label>
					))}
			</fieldset>
			<span className="flex items-center gap-2">
				<span className="text-muted">{say('Ends after')}</span>
				<Select
					label={say('Ends after')}
					value={String(terms.expiresIn)}
					choices={ends.map(({ value, label }) => ({ value: String(value), label: say(label) }))}
					onChoose={(value) => onChange({ ...terms, expiresIn: Number(value) })}
					className="border-edge"
				/>
			</span>
			<label className="flex flex-col gap-1">
				<span className="text-muted">{say('Reason (kept in the record)')}</span>
				<input
					required
					value={terms.reason}
					maxLength={2000}
					aria-describedby={noteId}
					onChange={(event) => onChange({ ...terms, reason: event.target.value })}
					className="h-7 rounded border border-edge bg-surface px-2 pointer-coarse:h-10"
				/>
			</label>
			<p id={noteId} className="text-muted empty:hidden">
				{terms.reason.trim() === '' && say('A reason is required: write one to go on.')}
			</p>
		</div>
	);
}

export function PreviewList({ preview }: { preview: GrantPreview }) {
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
							<Link
								prefetch={false}
								href={rowAddress(sessionId, toolUseId ? `call:${toolUseId}` : undefined)}
								className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-2 py-1 hover:bg-hover"
							>
								<When at={at} />
								<span className="truncate">
									<AgentText className="text-muted">{project ?? sessionId}</AgentText>{' '}
									<AgentText>{title || reason}</AgentText>
								</span>
							</Link>
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
