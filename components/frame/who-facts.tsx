import Link from 'next/link';
import type { Me } from '#lib/contract/routes/me.ts';
import { useSay } from '../language/use-say.ts';
import { DetailFact } from '../ui/detail-fact.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

/** Who this sign-in is: on a machine its role, at a hub a person with theirs. */
export function WhoFact({ me: { role, approval, hub } }: { me: Me }) {
	const say = useSay();
	if (hub) {
		const roles = [...new Set(hub.roles.map((one) => say(one.role)))].join(', ');
		return (
			<DetailFact name={say('Person')}>
				<AgentText>{hub.name}</AgentText>, {roles || say('no role: does not get in')}
			</DetailFact>
		);
	}
	return (
		<DetailFact name={say('Role')}>
			{approval === undefined
				? say(role)
				: say('{role}, came by a link and may decide that one call; ends soon after it', { role: say(role) })}
		</DetailFact>
	);
}

/** Where what lets people in is seen and ended. */
export function AccessFact({ me: { role, hub }, onLeave }: { me: Me; onLeave: () => void }) {
	const say = useSay();
	if (role !== 'operator' && !hub) return null;
	return (
		<DetailFact name={say('Access')}>
			<Link href={hub ? '/people' : '/access'} onClick={onLeave} className="text-accent">
				{hub ? say('Your sign-ins') : say('Passkeys, sign-ins and tokens')}
			</Link>
		</DetailFact>
	);
}
