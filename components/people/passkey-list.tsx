'use client';
import { type FormEvent, useState } from 'react';
import type { HubPasskeyList } from '#lib/contract/hub-people.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { makePasskey } from '../live/ask-passkey.ts';
import { callRoute, type RouteAnswer } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { useAnswer } from '../live/use-answer.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { OpenedForm } from '../ui/opened-form.tsx';

const askPasskeys = () => callRoute('GET /api/hub/passkeys');
const field = 'h-7 max-w-full rounded border border-edge bg-surface px-2 placeholder:text-muted';

/** One's own passkeys: what changes who may what asks for one of them. */
export function PasskeyList() {
	const say = useSay();
	const { data, error, reload } = useAnswer(askPasskeys);
	return (
		<section aria-label={say('Your passkeys')} className="flex flex-col gap-1">
			<h2 className="font-semibold text-muted text-small uppercase">{say('Your passkeys')}</h2>
			<p className="pb-1 text-muted">
				{say(
					'Who has one is asked for it by whatever lets somebody in or gives a role. An admin also signs in by one.',
				)}
			</p>
			{error && (
				<p role="alert" className="text-warn">
					{say.known(error)}
				</p>
			)}
			<ul className="border-line border-t empty:hidden">
				{data?.passkeys.map((passkey) => (
					<PasskeyRow key={passkey.id} passkey={passkey} onChange={reload} />
				))}
			</ul>
			{data && <AddPasskey onMade={reload} />}
		</section>
	);
}

interface PasskeyRowProps {
	passkey: HubPasskeyList['passkeys'][number];
	onChange: () => void;
}

/** It goes at the second press, since that cannot be undone. */
function PasskeyRow({ passkey: { id, label, since }, onChange }: PasskeyRowProps) {
	const say = useSay();
	const now = useNow();
	const [isAsked, setAsked] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);

	async function act() {
		if (!isAsked) return setAsked(true);
		setAsked(false);
		const answer = await callRoute('POST /api/hub/passkeys/:id', { params: { id }, body: { action: 'revoke' } });
		if (answer.ok) onChange();
		else setRefusal(answer.message);
	}

	return (
		<li className="flex min-h-9 flex-wrap items-center gap-x-3 border-line border-b px-2 py-1">
			<span className="min-w-0 flex-1">
				<AgentText className="font-medium">{label}</AgentText>{' '}
				<span className="text-muted">{clockOrDate(since, now, say.language)}</span>
			</span>
			{refusal && (
				<span role="alert" className="text-warn">
					{say.known(refusal)}
				</span>
			)}
			<Button
				size="small"
				kind={isAsked ? 'danger' : 'plain'}
				aria-label={isAsked ? undefined : say('Revoke {name}', { name: label })}
				onClick={() => void act()}
			>
				{isAsked ? say('Revoke for good') : say('Revoke')}
			</Button>
		</li>
	);
}

function AddPasskey({ onMade }: { onMade: () => void }) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const [name, setName] = useState('');
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);

	async function make(event: FormEvent) {
		event.preventDefault();
		setBusy(true);
		setRefusal(null);
		const answer = await enrol(name.trim());
		setBusy(false);
		if (!answer.ok) return setRefusal(answer.message);
		setOpen(false);
		setName('');
		onMade();
	}

	return (
		<div className="flex flex-col gap-2 pt-2">
			{isOpen ? (
				<OpenedForm onCancel={() => setOpen(false)}>
					<form onSubmit={(event) => void make(event)} className="flex flex-wrap items-end gap-2">
						<label className="flex flex-col gap-0.5">
							<span className="text-muted">{say('Its name')}</span>
							<input
								value={name}
								onChange={({ target }) => setName(target.value)}
								maxLength={60}
								required
								placeholder={say('laptop')}
								className={field}
							/>
						</label>
						<Button kind="primary" type="submit" disabled={isBusy || name.trim() === ''}>
							{say('Make the passkey')}
						</Button>
						<Button onClick={() => setOpen(false)}>{say('Cancel')}</Button>
					</form>
				</OpenedForm>
			) : (
				<Button className="self-start" onClick={() => setOpen(true)}>
					{say('Add a passkey')}
				</Button>
			)}
			{refusal && (
				<p role="alert" className="text-warn">
					{say.known(refusal)}
				</p>
			)}
		</div>
	);
}

async function enrol(name: string): Promise<RouteAnswer<'POST /api/hub/passkeys'>> {
	const options = await callRoute('POST /api/hub/passkeys/options', { body: {} });
	if (!options.ok) return options;
	const response = await makePasskey(options.data);
	if (response === null)
		return { ok: false, status: 0, code: 'passkey/refused', message: 'No passkey was made. Nothing was changed.' };
	return callRoute('POST /api/hub/passkeys', { body: { name, response: { ...response } } });
}
