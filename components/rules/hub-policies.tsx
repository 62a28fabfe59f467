import type { HubPolicyVersion, PolicyStatus, TeamPolicy } from '#lib/contract/hub/hub-policies.ts';
import type { Plain } from '#lib/messages/say.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { HubGrants } from '../approvals/grants/active-grants.tsx';
import { useSay } from '../language/use-say.ts';
import { callRoute, sendProven } from '../live/call-route.ts';
import { useAction } from '../live/use-action.ts';
import { useRoute } from '../live/use-answer.ts';
import { Alert, AnswerPending } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { PolicyValues } from './policy-section.tsx';

const REFRESH_MS = 10_000;

export function HubPolicies() {
	const say = useSay();
	const { data, error, reload } = useRoute('GET /api/hub/policies', {}, { everyMs: REFRESH_MS });
	if (!data) return <AnswerPending label={say('Rules are loading')} error={error} />;
	return (
		<Page
			title={say('Rules')}
			about={
				<Advice>
					{say(
						'What the machines of a team hold back by this hub, beside their own settings. `signalbox hub policy set` makes a version, on the hub’s machine.',
					)}
				</Advice>
			}
			error={error}
		>
			<HubGrants />
			{data.teams.length === 0 && <p className="text-muted">{say('No team yet.')}</p>}
			{data.teams.map((team) => (
				<TeamPolicySection key={team.id} policy={team} onSigned={reload} />
			))}
		</Page>
	);
}

const statusMarks: Record<PolicyStatus, { glyph: string; tone: string; words: Plain }> = {
	holds: { glyph: '●', tone: 'text-ok', words: 'in force' },
	waits: { glyph: '◐', tone: 'text-warn', words: 'waits for a root passkey' },
	earlier: { glyph: '○', tone: 'text-muted', words: 'replaced by a later version' },
	expired: { glyph: '○', tone: 'text-muted', words: 'expired' },
	removed: { glyph: '○', tone: 'text-muted', words: 'removed: given to no machine any more' },
};

/** Versions of a team's policy, and how each machine responded to the newest version sent to it. */
export function TeamPolicySection({ policy, onSigned }: { policy: TeamPolicy; onSigned: () => void }) {
	const say = useSay();
	const { id, team, versions, machines } = policy;
	const answered = machines.filter(({ state }) => state !== null);
	return (
		<section aria-labelledby={`team-${id}`} className="flex flex-col gap-2 border-line border-t pt-3">
			<h2 id={`team-${id}`} className="font-semibold">
				<AgentText>{team}</AgentText>
			</h2>
			{versions.length === 0 && <p className="text-muted">{say('It has no policy.')}</p>}
			{versions.map((version) => (
				<Version key={version.version} team={id} version={version} onSigned={onSigned} />
			))}
			{answered.length > 0 && (
				<ul aria-label={say('Machines of the team')}>
					{answered.map((machine) => (
						<MachineLine key={machine.edge} machine={machine} />
					))}
				</ul>
			)}
		</section>
	);
}

function Version({ team, version, onSigned }: { team: number; version: HubPolicyVersion; onSigned: () => void }) {
	const say = useSay();
	const { refusal, run } = useAction();
	const { version: number, standing, until, byRoot, says, ask: challenge } = version;
	const { glyph, tone, words } = statusMarks[standing];
	async function sign() {
		const params = { team: String(team), version: String(number) };
		const signed = sendProven(challenge, (answer) =>
			callRoute('POST /api/hub/policies/:team/:version', { params, body: { answer } }),
		);
		await run(signed, onSigned);
	}
	return (
		<div className="flex flex-col gap-1">
			<p className="flex flex-wrap items-baseline gap-x-3">
				<span className="font-mono text-mono">v{number}</span>
				<span className={tone}>
					<span aria-hidden>{glyph} </span>
					{say(words)}
				</span>
				<span className="text-muted">{say('until {until}', { until: dayAndTime(until) })}</span>
				{byRoot && <span className="text-muted">{say('signed by a root passkey')}</span>}
				{challenge && (
					<Button kind="primary" size="small" onClick={() => void sign()}>
						{say('Sign with a root passkey')}
					</Button>
				)}
			</p>
			<Alert>{refusal}</Alert>
			<PolicyValues says={says} />
		</div>
	);
}

function MachineLine({ machine: { name, version, state, why } }: { machine: TeamPolicy['machines'][number] }) {
	const say = useSay();
	const values = { version: String(version) };
	return (
		<li className="flex flex-wrap gap-x-3 [overflow-wrap:anywhere]">
			<AgentText>{name}</AgentText>
			{state === 'done' && <span className="text-muted">{say('has v{version}', values)}</span>}
			{state === 'waiting' && <span className="text-muted">{say('is given v{version} when it comes', values)}</span>}
			{state === 'refused' && (
				<span className="text-warn">{say('has refused v{version}: {why}', { ...values, why: why ?? '' })}</span>
			)}
		</li>
	);
}
