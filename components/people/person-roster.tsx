import { useCallback, useState } from 'react';
import type { PersonRoster as Roster } from '#lib/contract/hub/hub-people.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute, sendProven } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Button } from '../ui/button.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

export function PersonRoster({ person }: { person: number }) {
	const say = useSay();
	const params = { id: String(person) };
	const ask = useCallback(
		() => callRoute('GET /api/hub/people/:id/roster', { params: { id: String(person) } }),
		[person],
	);
	const { data, error, reload } = useAnswer(ask);
	const [problem, setProblem] = useState<string | null>(null);
	const message = problem ?? error;

	async function sign({ id, ask: options }: Roster['passkeys'][number]) {
		const signed = await sendProven(options, (answer) =>
			callRoute('POST /api/hub/people/:id/roster', { params, body: { passkey: id, answer } }),
		);
		setProblem(signed.ok ? null : signed.message);
		if (signed.ok) reload();
	}

	return (
		<section aria-label={say('Roster')} className="flex flex-col gap-2 border-line border-t p-4">
			<h3 className="font-semibold text-muted text-small uppercase">{say('Roster')}</h3>
			<p className="text-muted">
				{say('Machines at level H2 take decisions only from passkeys that a root passkey has signed.')}
			</p>
			{data?.hasRoot === false && (
				<p className="text-warn">
					<Advice>
						{say('This hub has no root passkey yet: `signalbox hub root` on its own machine chooses one.')}
					</Advice>
				</p>
			)}
			{data?.passkeys.length === 0 && (
				<p className="text-muted">{say('This person has no passkey, or may decide nothing.')}</p>
			)}
			<ul className="border-line border-t empty:hidden">
				{data?.passkeys.map((passkey) => (
					<li key={passkey.id} className="flex min-h-8 flex-wrap items-center gap-x-3 border-line border-b py-1">
						<AgentText className="min-w-0 flex-1 font-medium">{passkey.label}</AgentText>
						{passkey.leftOutOf.length === 0 && (
							<span className={passkey.signed ? 'text-ok' : 'text-muted'}>
								{say(passkey.signed ? 'in the roster' : 'not in the roster')}
							</span>
						)}
						{passkey.leftOutOf.map((team) => (
							<span key={team} className="text-warn">
								{say('no room in the roster of {team}', { team })}
							</span>
						))}
						{passkey.ask && (
							<Button
								size="small"
								aria-label={say('Sign {name} into the roster', { name: passkey.label })}
								onClick={() => void sign(passkey)}
							>
								{say('Sign into the roster')}
							</Button>
						)}
					</li>
				))}
			</ul>
			{message && (
				<p role="alert" className="text-warn">
					{say.known(message)}
				</p>
			)}
		</section>
	);
}
