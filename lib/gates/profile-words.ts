import type { Plain } from '../messages/say.ts';
import type { GateProfile } from './gate-row.ts';

/** What a gate of each profile does with a call that it cannot judge: the rest of "if it cannot judge, ...". */
export const profileWords: Readonly<Record<GateProfile, Plain>> = {
	open: 'the call goes on and the person is told why',
	closed: 'the call is denied',
	supervisor: 'the call is denied, and unreadable input is an error that the agent is shown',
};
