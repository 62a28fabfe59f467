'use client';
import type { HubPasskeyList } from '#lib/contract/hub/hub-people.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { enrolPasskey } from '../live/enrol-passkey.ts';
import { useNow } from '../live/now.ts';
import { useAnswer } from '../live/use-answer.ts';
import { RevokeButton } from '../ui/revoke-button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { MakeByName } from './make-by-name.tsx';

const askPasskeys = () => callRoute('GET /api/hub/passkeys');

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

function PasskeyRow({ passkey: { id, label, since }, onChange }: PasskeyRowProps) {
	const say = useSay();
	const now = useNow();

	async function revoke() {
		const answer = await callRoute('POST /api/hub/passkeys/:id', { params: { id }, body: { action: 'revoke' } });
		if (!answer.ok) return answer.message;
		onChange();
		return null;
	}

	return (
		<li className="flex min-h-9 flex-wrap items-center gap-x-3 border-line border-b px-2 py-1">
			<span className="min-w-0 flex-1">
				<AgentText className="font-medium">{label}</AgentText>{' '}
				<span className="text-muted">{clockOrDate(since, now, say.language)}</span>
			</span>
			<RevokeButton name={say('Revoke {name}', { name: label })} sure={say('Revoke for good')} onRevoke={revoke} />
		</li>
	);
}

function AddPasskey({ onMade }: { onMade: () => void }) {
	const say = useSay();

	async function addPasskey(name: string) {
		const answer = await enrolPasskey(callRoute('POST /api/hub/passkeys/options', { body: {} }), (response) =>
			callRoute('POST /api/hub/passkeys', { body: { name, response } }),
		);
		if (!answer.ok) return answer.message;
		onMade();
		return null;
	}

	return (
		<MakeByName
			open={say('Add a passkey')}
			make={say('Make the passkey')}
			label={say('Its name')}
			placeholder={say('laptop')}
			most={60}
			onMake={addPasskey}
		/>
	);
}
