import type { HubPeople, PersonLine } from '#lib/contract/hub/hub-people.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { roleMeanings, roleWords } from './role-words.ts';
import type { usePersonChange } from './use-person-change.ts';

interface RoleListProps {
	person: PersonLine;
	teams: HubPeople['teams'];
	/** Nobody takes these. */
	isFixed: boolean;
	change: ReturnType<typeof usePersonChange>;
}

/** What somebody is where, as far as one may say so, each with what it allows. */
export function RoleList({ person: { roles }, teams, isFixed, change }: RoleListProps) {
	const say = useSay();
	if (roles.length === 0) return <p className="text-warn">{say('No role yet: this person does not get in.')}</p>;
	return (
		<ul className="border-line border-t">
			{roles.map(({ source, ...role }) => {
				const words = roleWords(role, teams, say);
				return (
					<li
						key={`${role.role} ${role.team} ${role.project}`}
						className="flex min-h-8 items-center gap-x-3 border-line border-b py-1"
					>
						<span className="min-w-0 flex-1">
							<AgentText className="font-medium">{words}</AgentText>
							<span className="block text-muted text-small">
								{say(roleMeanings[role.role])}
								{source === 'oidc' && say('; from a group: taken and given with each sign-in')}
							</span>
						</span>
						{!isFixed && source === 'admin' && (
							<Button
								size="small"
								disabled={change.isBusy}
								aria-label={say('Take away: {role}', { role: words })}
								onClick={() => void change.changeRole({ action: 'take', ...role })}
							>
								{say('Take away')}
							</Button>
						)}
					</li>
				);
			})}
		</ul>
	);
}
