'use client';
import dynamic from 'next/dynamic';
import { useHub } from '../live/hub.tsx';
import { FeaturesPage } from './features-page.tsx';

const HubFeatures = dynamic(() => import('./hub-features.tsx').then((module) => module.HubFeatures));

/** On a machine its board; on a hub what all machines have archived. */
export function FeaturesHere() {
	return useHub() ? <HubFeatures /> : <FeaturesPage />;
}
