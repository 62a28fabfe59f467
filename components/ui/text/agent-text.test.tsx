import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import type { ApprovalView, CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { SessionState } from '#lib/session/session-state.ts';
import { timeScale } from '#lib/timeline/time-scale.ts';
import { ApprovalCard } from '../../approvals/approval-card.tsx';
import { FeatureActions } from '../../features/feature-actions.tsx';
import { StageSegments } from '../../home/sessions/session-row.tsx';
import { StageBands } from '../../lanes/plan-rows.tsx';
import { type SessionSource, SessionSourceContext } from '../../live/session-source.ts';
import { StageRow } from '../../replay/stage-row.tsx';
import { SessionFacts } from '../../session/session-facts.tsx';
import { StagePipeline } from '../../session/stage-pipeline.tsx';
import { StoryLine } from '../../session/story/story-line.tsx';
import { VerdictsTab } from '../../session/verdicts/verdicts-tab.tsx';
import { EventPayloads } from '../../session-page/event-payloads.tsx';
import { CallFacts } from '../../session-page/row-detail.tsx';
import { Select } from '../select.tsx';
import { AgentText } from './agent-text.tsx';
import { VerdictText } from './verdict-text.tsx';

const hostile = 'safe\u202eelif\u0007\u009b1m\u200b';
const acts = /(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/u;
const at = '2026-01-01T00:00:00.000Z';

const approval: ApprovalView = {
	approvalId: 'a1',
	state: 'approved',
	tool: hostile,
	title: hostile,
	denials: [{ gate: hostile, rule: hostile, reason: hostile }],
	reason: hostile,
} as ApprovalView;
const call = {
	toolUseId: 't1',
	seq: 1,
	at,
	tool: hostile,
	title: hostile,
	evidence: 'ran',
	agentEnd: { at, result: hostile },
	verdicts: [{ gate: hostile, rule: hostile, decision: 'deny', reason: hostile }],
	approval,
} as unknown as CallView;
const row: Row = { key: 'k', seq: 1, at, type: 'tool:call', title: hostile, tone: 'plain', shown: true };
const itemOf = (of: Row) => ({ kind: 'row', key: 'k', depth: 0, row: of, open: false }) as const;
const stage = { status: 'active', mode: hostile, startedAt: at, result: hostile };
const view = {
	sessionId: 's1',
	workflow: {
		stages: { [hostile]: stage, [`${hostile}2`]: stage },
		groups: { [hostile]: { startedAt: at, stages: [hostile, `${hostile}2`] } },
	},
	supervisor: [{ hook: hostile, at, allow: false, feedback: hostile, iteration: 1, max: 3, seq: 1 }],
	todos: [{ content: hostile, status: hostile }],
	counters: { events: 1, prompts: 1, calls: 1 },
	cwd: hostile,
	model: hostile,
	lastMessage: hostile,
} as unknown as SessionView;

const session = { sessionId: 's1', view, window: { rows: [{ ...row, call }] } } as unknown as SessionState;
const source = {
	isLive: false,
	store: { getState: () => ({ session }), getInitialState: () => ({ session }), subscribe: () => () => undefined },
} as unknown as SessionSource;
const scale = timeScale([{ from: 0, to: 1000 }], 500);
const event = { id: 'e1', ts: at, seq: 1, sessionId: 's1', type: hostile, unknown: true, note: hostile };
const verdict = { ...event, type: 'gate:verdict', gate: hostile, label: 'Gate verdict', facts: {} };

test.each<[string, ReactNode]>([
	['text itself', <AgentText key="">{hostile}</AgentText>],
	[
		'a report with a verdict',
		<VerdictText key="">{`${hostile}<!-- VERDICT: {"result":"PASS","${hostile}":1} -->${hostile}`}</VerdictText>,
	],
	['the stages in the list', <StageSegments key="" stages={[{ key: hostile, state: 'active' }]} />],
	['the pipeline with a parallel group', <StagePipeline key="" view={view} />],
	['the verdicts', <VerdictsTab key="" view={view} />],
	[
		'a choice',
		<Select key="" label="l" value="" choices={[{ value: 'v', label: hostile }]} onChoose={() => undefined} />,
	],
	[
		'a story row of an unknown type',
		<StoryLine key="" item={itemOf({ ...row, type: hostile })} actor={hostile} cost={undefined} folder={null} />,
	],
	[
		'a story row of a call',
		<StoryLine key="" item={itemOf({ ...row, call })} actor={hostile} cost={undefined} folder={null} />,
	],
	[
		'a story row of a stage with its agent',
		<StoryLine
			key=""
			item={{
				...{ kind: 'branch', of: 'stage', key: 'k', stage: hostile, agentIds: [hostile], allAgentIds: [hostile] },
				...{ rows: [{ ...row, agent: hostile, result: hostile }], depth: 0, open: false, calls: 1 },
			}}
			actor=""
			cost={undefined}
			folder={null}
		/>,
	],
	['the facts of a call', <CallFacts key="" call={call} />],
	['the facts of a session', <SessionFacts key="" sessionId="s1" />],
	['events', <EventPayloads key="" sessionId="s1" events={[event, verdict] as unknown as IndexedEvent[]} />],
	['an approval', <ApprovalCard key="" sessionId="s1" approval={approval} />],
	[
		'a stage over time',
		<StageBands
			key=""
			bands={[{ run: { stage: hostile, from: 0, to: 900, result: hostile }, from: 0, to: 900, depth: 0 }]}
			scale={scale}
			height={24}
		/>,
	],
	[
		'a recorded stage',
		<StageRow
			key=""
			stage={hostile}
			bars={[{ stage: hostile, from: 0, to: 900, result: hostile }]}
			scale={scale}
			instant={950}
		/>,
	],
	[
		'what can be done with a feature',
		<FeatureActions
			key=""
			feature={{ id: 'f', name: hostile, state: 'paused', tasks: { done: 0, total: 0 } } as unknown as FeatureRecord}
			onDone={() => undefined}
		/>,
	],
])('R200 %s: nothing of an agent acts unseen, in text, titles and labels', (_what, shown) => {
	const markup = renderToStaticMarkup(
		<NuqsTestingAdapter>
			<SessionSourceContext value={source}>{shown}</SessionSourceContext>
		</NuqsTestingAdapter>,
	);
	expect(markup).toContain('RLO U+202E');
	expect(markup).not.toMatch(acts);
});
