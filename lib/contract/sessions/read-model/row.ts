import type { Worded } from '../../../messages/sentence.ts';
import type { EventType, Tone } from '../../events/event-labels.ts';
import type { CallView } from './call-view.ts';

export interface Row extends Worded<'title'> {
	/** `call:<toolUseId>`, `approval:<id>` or `event:<event id>`. */
	key: string;
	seq: number;
	at: string;
	agentId?: string;
	type: EventType | (string & {});
	/** One line of agent text, at most 300 characters. */
	title: string;
	/** Instead of its type's words, where those would not be true. */
	label?: string;
	stage?: string;
	agent?: string;
	result?: string;
	tone: Tone;
	shown: boolean;
	call?: CallView;
	unverified?: true;
}
