'use client';
import Link from 'next/link';
import { useCallback } from 'react';
import { clip } from '#lib/text/printable.ts';
import { callRoute } from '../live/call-route.ts';
import { useSessionSource } from '../live/session-source.ts';
import { useAnswer } from '../live/use-answer.ts';
import { featureAddress } from '../row/feature-address.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

const FEATURE_CHARS = 60;

/** The name of the feature that a session's workflow is for; a link where a project has such a feature. */
export function FeatureLink({ sessionId, name }: { sessionId: string; name: string }) {
	const { isLive } = useSessionSource();
	// biome-ignore lint/correctness/useExhaustiveDependencies: another name is another question.
	const ask = useCallback(() => callRoute('GET /api/features', { query: { session: sessionId } }), [sessionId, name]);
	const { data } = useAnswer(isLive ? ask : null);
	const feature = data?.features.find((each) => each.name === name);
	const words = <AgentText>{clip(name, FEATURE_CHARS)}</AgentText>;
	if (!feature) return words;
	return (
		<Link
			href={featureAddress(feature.id)}
			prefetch={false}
			className="inline-flex min-h-6 items-baseline text-accent underline-offset-2 hover:underline"
		>
			{words}
		</Link>
	);
}
