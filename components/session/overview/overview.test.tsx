import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { emptyView } from '#lib/session/fold.ts';
import { InstantContext } from '../../live/now.ts';
import { type SessionSource, SessionSourceContext } from '../../live/session-source.ts';
import { Overview } from './overview.tsx';

test('in a recording a running stage has lasted until the instant that is shown', () => {
	const from = Date.UTC(2026, 0, 1);
	const lastAt = new Date(from).toISOString();
	const view = { ...emptyView('s'), lastAt, stageRuns: [{ stage: 'PLAN', from, to: null }] };
	const held = { session: { sessionId: 's', view } };
	const store = { getState: () => held, getInitialState: () => held, subscribe: () => () => undefined };
	const recorded = { isLive: false, store } as unknown as SessionSource;
	const shownAt = (instant: number | null) =>
		renderToStaticMarkup(
			<NuqsTestingAdapter>
				<SessionSourceContext value={recorded}>
					<InstantContext value={instant}>
						<Overview sessionId="s" />
					</InstantContext>
				</SessionSourceContext>
			</NuqsTestingAdapter>,
		).replace(/<[^>]*>/g, '');
	expect(shownAt(from + 13_000)).toContain('13s running');
	expect(shownAt(null)).toContain('0s running');
});
