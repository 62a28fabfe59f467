import { commitRelease, type Release } from '#hooks-bridge/engine/release.ts';
import type { DeniedCall, PersonsDecision } from '#hooks-bridge/ports/denied-call.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import type { DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import { defined } from '#lib/json/json.ts';
import type { Log } from '../process/log.ts';
import type { JournalRow } from '../timeline/store/journal-store.ts';

export type ReleaseCall = (held: DeniedCall, decided: PersonsDecision, ports: Ports) => Release;

export interface ReleaseMeans {
	release: ReleaseCall;
	ports: Ports;
	log: Log;
}

/** Judges again, has the decision written, and then records the start. Null if another decision was written before. */
export async function releaseInTwoSteps(
	{ release, ports, log }: ReleaseMeans,
	held: DeniedCall,
	{ decision, overrides, ...rest }: DecisionBody & Pick<PersonsDecision, 'granted'>,
	write: (repeatedDenial: Denial | undefined, denials: readonly Denial[]) => Promise<JournalRow | null>,
): Promise<Pick<Release, 'output'> | null> {
	const { reason, updatedInput, stop, suggestions, granted } = rest;
	const decided: PersonsDecision = {
		decision: decision === 'deny' ? 'deny' : 'approve',
		...defined({ reason, stop, suggestions, granted }),
		...(updatedInput && { updatedInput, overrides: overrides ?? [] }),
	};
	const released = release(held, decided, ports);
	const row = await write(released.repeatedDenial, released.denials ?? []);
	if (row === null) return null;
	try {
		commitRelease(held, released, ports);
	} catch (error) {
		log.error('approvals: the effects of a release could not be written to the timeline', error);
	}
	return { output: released.output };
}
