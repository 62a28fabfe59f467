'use client';
import { HubGrants } from '../approvals/grants/hub-grants.tsx';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { MayBeOld } from '../ui/may-be-old.tsx';
import { NotYet } from '../ui/not-yet.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { TeamPolicySection } from './team-policy.tsx';

/** Machines answer as they come, so this is asked for again this often (ms). */
const AGAIN_MS = 10_000;
const askPolicies = () => callRoute('GET /api/hub/policies');

/** The policies of a hub's teams: their versions, until when they hold, and which machines have them. */
export function HubPolicies() {
	const say = useSay();
	const { data, error, reload } = useAnswer(askPolicies, AGAIN_MS);
	if (!data) return <NotYet label={say('Rules are loading')} error={error} />;
	return (
		<div className="mx-auto flex max-w-3xl flex-col gap-4 p-4 pb-8">
			<div>
				<h1 className="font-semibold text-title">{say('Rules')}</h1>
				<p className="text-muted">
					<Advice>
						{say(
							'What the machines of a team hold back by this hub, beside their own settings. `signalbox hub policy set` makes a version, on the hub’s machine.',
						)}
					</Advice>
				</p>
				<MayBeOld error={error} />
			</div>
			<HubGrants />
			{data.teams.length === 0 && <p className="text-muted">{say('No team yet.')}</p>}
			{data.teams.map((team) => (
				<TeamPolicySection key={team.id} policy={team} onSigned={reload} />
			))}
		</div>
	);
}
