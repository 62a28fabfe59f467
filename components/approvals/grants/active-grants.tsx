import { deciderName, deciderWords } from '#lib/approvals/call-words.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import { scopeWords } from '#lib/grants/covers.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { roundDuration } from '#lib/time/duration.ts';
import { useSay } from '../../language/use-say.ts';
import { useMayDecide } from '../../live/hub.tsx';
import { useNow } from '../../live/now.ts';
import { useSummary } from '../../live/session-pages.ts';
import { useAction } from '../../live/use-action.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Part } from '../../ui/part.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { revokeGrant, useGrants } from './use-grants.ts';

export function ActiveGrants({ grants, title }: { grants: readonly GrantRecord[]; title?: string }) {
	const say = useSay();
	const now = useNow();
	const open = grants.filter(({ expires }) => Date.parse(expires) > now);
	if (open.length === 0) return null;
	return (
		<Part isList className="pt-4" title={title ?? say('Active grants')}>
			{open.map((grant) => (
				<GrantRow key={grant.id} grant={grant} now={now} />
			))}
		</Part>
	);
}

function GrantRow({ grant, now }: { grant: GrantRecord; now: number }) {
	const say = useSay();
	const { scope, covers, reason, expires, uses, by, sessionId, makerEndedAt, machine } = grant;
	const { isBusy, refusal, setRefusal, run } = useAction();
	// A hub can revoke only grants made at the hub; a machine can revoke all of its own.
	const mayRevoke = useMayDecide() && (machine === undefined || by.via === 'hub');
	const project = useSummary(sessionId)?.project;
	const words = covers.map((cover) => cover.words).join(say('; and '));
	const ended = makerEndedAt
		? say(', whose access ended {time}', { time: clockOrDate(makerEndedAt, now, say.language) })
		: '';

	async function revoke() {
		const answer = await run(revokeGrant(grant));
		if (!answer.ok && answer.status === 409) setRefusal(null);
	}

	return (
		<li className="flex flex-wrap items-start gap-x-3 gap-y-1 border-line border-b px-2 py-1.5">
			<div className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
				<AgentText className="font-medium">{words}</AgentText>
				<span className="line-clamp-6 text-muted">
					{say('for {scope}', { scope: say(scopeWords[scope]) })}
					{scope !== 'project' && (
						<>
							{' '}
							(<AgentText>{project ?? sessionId}</AgentText>)
						</>
					)}
					{machine && (
						<>
							{' · '}
							<AgentText>{say('at {machine} ({team})', { machine: machine.name, team: machine.team })}</AgentText>
						</>
					)}
					{' · '}
					{say('{time} left', { time: roundDuration(Date.parse(expires) - now, say.language) })}
					{' · '}
					{say('used {uses} {uses:time|times}', { uses })}
					{' · '}
					<span title={deciderWords(by, say)}>{say('by {who}', { who: deciderName(by, say) })}</span>
					{ended} · “<AgentText>{reason}</AgentText>”
				</span>
				<Alert>{refusal}</Alert>
			</div>
			{mayRevoke && (
				<Button
					size="small"
					kind="danger"
					disabled={isBusy}
					aria-label={visibleString(say('Revoke the grant for {words}', { words }))}
					onClick={() => void revoke()}
				>
					{say('Revoke')}
				</Button>
			)}
		</li>
	);
}

/** Active grants made at the hub: on the hub's pages for all machines, on a machine's own page for that machine. */
export function HubGrants() {
	const say = useSay();
	const grants = useGrants('active')?.filter(({ by }) => by.via === 'hub');
	return grants ? <ActiveGrants grants={grants} title={say('Allowed from the hub')} /> : null;
}
