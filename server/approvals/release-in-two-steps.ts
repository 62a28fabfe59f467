import type { HeldCall, Ports, SealedEvent } from '#hooks-bridge/ports.ts';
import type { Denial } from '#lib/contract/catalogue/approval.ts';
import type { DecisionBody } from '#lib/contract/http.ts';

type Output = Record<string, unknown> | null;

/** What the hook prints after a decision; appends the effects of the start through its ports. */
export type ReleaseCall = (
	held: HeldCall,
	decided: { decision: 'approve' | 'deny'; reason?: string; updatedInput?: Record<string, unknown> },
	ports: Ports,
) => { output: Output; standing?: Denial; after?: (ports: Ports) => void };

/**
 * Judges again now and holds the lines and effects back until `perform`: what a gate says at release goes into the
 * journal's row, and nothing may be told of the start before that row is durable (DESIGN 6).
 */
export function releaseInTwoSteps(
	release: ReleaseCall,
	held: HeldCall,
	{ decision, reason, updatedInput }: DecisionBody,
	ports: Ports,
): { output: Output; standing: Denial | undefined; perform: () => void } {
	const lines: { sessionId: string; events: readonly SealedEvent[] }[] = [];
	const holding: Ports = { ...ports, append: (sessionId, events) => void lines.push({ sessionId, events }) };
	const { output, standing, after } = release(
		held,
		{
			decision: decision === 'deny' ? 'deny' : 'approve',
			...(reason !== undefined && { reason }),
			...(updatedInput && { updatedInput }),
		},
		holding,
	);
	return {
		output,
		standing,
		perform: () => {
			for (const { sessionId, events } of lines) ports.append(sessionId, events);
			after?.(ports);
		},
	};
}
