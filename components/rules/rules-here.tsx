'use client';
import dynamic from 'next/dynamic';
import { useHub } from '../live/hub.tsx';

const RulesPage = dynamic(() => import('./rules-page.tsx').then((module) => module.RulesPage));
const HubPolicies = dynamic(() => import('./hub-policies.tsx').then((module) => module.HubPolicies));

/** On a machine its gates and settings; on a hub the policies of its teams. */
export function RulesHere() {
	return useHub() ? <HubPolicies /> : <RulesPage />;
}
