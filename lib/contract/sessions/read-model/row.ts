import type { EventType, Tone } from '../../events/event-labels.ts';
import type { CallView } from './call-view.ts';

/** One line of the story: one thing that happened, however many events told of it. */
export interface Row {
	/** `call:<toolUseId>`, `approval:<id>` or `event:<event id>`; stable while content is added. */
	key: string;
	/** The seq of its first event: its place in the story. */
	seq: number;
	at: string;
	agentId?: string;
	type: EventType | (string & {});
	/** One line of agent text, at most 300 characters. */
	title: string;
	/** Words of its own, where those of its type would not be true. */
	label?: string;
	/** Of a line about a stage or an agent: which, and how it ended. */
	stage?: string;
	agent?: string;
	result?: string;
	tone: Tone;
	/** Whether the story shows it without a filter. */
	shown: boolean;
	/** Present on `call:` rows. */
	call?: CallView;
	unverified?: true;
}
