import type { Worded } from '../../../messages/sentence.ts';
import type { Tone } from '../../events/event-labels.ts';
import type { UsageTotals } from '../../events/usage.ts';
import type { ApprovalView } from './call-view.ts';
import type { AlarmView, Machine } from './session-view.ts';

export type SessionStatus = 'running' | 'waiting' | 'idle' | 'ended' | 'lost';

export interface Doing extends Worded<'text'> {
	agent?: string;
	text: string;
	since?: string;
}

export interface Judgement extends Worded<'text'> {
	by: 'alarm' | 'stage' | 'routing' | 'supervisor' | 'validator' | 'gate' | 'person' | 'tool';
	tone: Tone;
	text: string;
	since?: string;
	/** ISO: after this it was cut off. */
	until?: string;
	row?: string;
}

/** Failed stages whose agent rests: a person must say how to continue. */
export interface StuckStage extends Worded<'why'> {
	stages: string[];
	why: string;
	at: string;
}

/** Small enough to be pushed to every open browser. */
export interface SessionSummary {
	sessionId: string;
	seq: number;
	/** As of `lastAt`; the browser recomputes it with `statusOf`. */
	status: SessionStatus;
	/** The client, by its name in the agent table. */
	agent: string;
	project?: string;
	branch?: string;
	machine?: Machine;
	title?: string;
	reviewer?: boolean;
	workflow?: string;
	paused?: true;
	stages: { key: string; state: 'pending' | 'active' | 'done' | 'issues' | 'failed' }[];
	agents: string[];
	doing?: Doing;
	judgements: Judgement[];
	/** Unacknowledged ones; `until` if postponed. */
	alarms: (AlarmView & { until?: string })[];
	stuck?: StuckStage;
	/** An open call, or a review until its deadline (ISO): it may be silent. */
	busy?: { until?: string };
	/** The silence that began then was acknowledged, or postponed. */
	quiet?: { since: string; until?: string };
	startedAt?: string;
	lastAt?: string;
	endedAt?: string;
	turnAt?: string;
	approvals: ApprovalView[];
	counts: {
		calls: number;
		errors: number;
		denials: number;
		overrides: number;
		mismatches: number;
		deniedButRan: number;
		alarms: number;
		events: number;
	};
	usage?: UsageTotals;
	spark: { minute: number; counts: number[] };
}

export const listGroups = ['Running', 'Idle', 'Ended today', 'Older'] as const;

export type ListGroup = (typeof listGroups)[number];

export interface SessionCounts {
	all: number;
	groups: Record<ListGroup, number>;
	alarmed: number;
}

export interface SessionsPage {
	sessions: SessionSummary[];
	counts: SessionCounts;
	next: string | null;
}
