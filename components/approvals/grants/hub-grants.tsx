'use client';
import { useSay } from '../../language/use-say.ts';
import { ActiveGrants } from './active-grants.tsx';
import { useGrants } from './use-grants.ts';

/** What people at the hub allow for later calls at this moment: on its pages at each machine, on a machine's own at that one. */
export function HubGrants() {
	const say = useSay();
	const grants = useGrants('active')?.filter(({ by }) => by.via === 'hub');
	return grants ? <ActiveGrants grants={grants} title={say('Allowed from the hub')} /> : null;
}
