import { useState } from 'react';
import type { GrantRecord, GrantSource } from '#lib/contract/approvals/grants.ts';
import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import { mayBeGranted, scopesWithin, scopeWords } from '#lib/grants/covers.ts';
import type { Plain } from '#lib/messages/say.ts';
import { endTime, hourMinute } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayAct } from '../../live/hub.tsx';
import { useNow } from '../../live/now.ts';
import { useAction } from '../../live/use-action.ts';
import { rowAddress } from '../../row/addresses.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { OpenedForm } from '../../ui/opened-form.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { type GrantBodyTerms, GrantForm } from './grant-terms.tsx';
import { makeGrant, useGrants } from './use-grants.ts';

interface AllowNextTryProps {
	source: GrantSource;
	/** Nothing is offered for gates that cannot recognise a retry (`noGrant`). */
	denials: readonly { noGrant?: true }[];
	/** How the denial was printed. After `stop` the agent does not retry on its own. */
	form?: 'stop' | 'deny' | undefined;
	isOver?: boolean;
	grant?: GrantRecord | undefined;
	/** At a hub: the machine of the call. Its owner limits the scope of grants from the hub. */
	machine?: Machine | undefined;
	onMade?: () => void;
}

export function AllowNextTry({ source, denials, form, isOver = false, grant, machine, onMade }: AllowNextTryProps) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const [made, setMade] = useState<GrantRecord | null>(null);
	const mayAct = useMayAct('grants');
	const { isBusy, refusal, run } = useAction();
	const offered = machine?.level === 'watch' ? [] : scopesWithin(machine?.grants ?? 'project');
	if (!mayAct || !mayBeGranted(denials) || offered.length === 0) return null;
	const grantInForce = made ?? grant;
	async function allow(body: GrantBodyTerms) {
		const answer = await run(makeGrant({ ...source, ...body }));
		if (!answer.ok) return;
		setMade(answer.data.grant);
		onMade?.();
	}
	if (grantInForce) return <MadeGrant grant={grantInForce} next={nextStep(grantInForce.scope, form, isOver)} />;
	if (!isOpen) {
		return (
			<Button size="small" className="self-start" onClick={() => setOpen(true)}>
				{say('Allow the next try…')}
			</Button>
		);
	}
	return (
		<section aria-label={say('Allow the next try')} className="rounded border border-edge p-3">
			<OpenedForm onCancel={() => setOpen(false)}>
				<GrantForm
					source={source}
					offered={offered}
					action={say('Allow it')}
					isBusy={isBusy}
					onAct={(body) => void allow(body)}
					onCancel={() => setOpen(false)}
				/>
				{refusal && <Alert>{say('{refusal} Nothing was allowed.', { refusal: say.known(refusal) })}</Alert>}
			</OpenedForm>
		</section>
	);
}

function nextStep(scope: GrantRecord['scope'], form: AllowNextTryProps['form'], isOver: boolean): Plain {
	if (isOver && scope === 'project') return 'The session has ended: the next one may try again.';
	if (isOver) return 'The session has ended: resume it to try again.';
	return form === 'stop' ? 'The denial ended the agent’s turn: prompt it again.' : 'The agent may try again.';
}

function MadeGrant({ grant, next }: { grant: GrantRecord; next: Plain }) {
	const say = useSay();
	const now = useNow();
	const use = useGrants('used')?.find(({ id }) => id === grant.id)?.lastUse;
	return (
		<p role="status" className="text-ok">
			<span aria-hidden>✓ </span>
			{use ? (
				<>
					{say('Used at {time}: the next try was let run.', { time: hourMinute(use.at) })}{' '}
					<TextLink href={rowAddress(use.sessionId, use.toolUseId === undefined ? undefined : `call:${use.toolUseId}`)}>
						{say('Show that call')}
					</TextLink>
				</>
			) : (
				say('Allowed for {scope} until {time}. {next}', {
					scope: say(scopeWords[grant.scope]),
					time: endTime(grant.expires, now, say.language),
					next: say(next),
				})
			)}
		</p>
	);
}
