import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { emptyView } from '#lib/session/view.ts';
import { noUsage } from '#lib/usage/usage-totals.ts';
import { UsageBars } from './overview.tsx';

test('in Tokens and cost agents of one name are distinguished by their stages', () => {
	const agent = (agentId: string, stage: string) => ({ agentId, name: 'tester', stage, starts: 1, ends: 1, calls: 1 });
	const view = {
		...emptyView('s'),
		agents: [agent('a', 'TEST'), agent('b', 'TEST:2')],
		usage: {
			total: noUsage,
			models: [],
			agents: [
				{ name: 'a', ...noUsage },
				{ name: 'b', ...noUsage },
			],
			stages: [],
			read: [],
		},
	};
	const drawn = renderToStaticMarkup(<UsageBars view={view} />).replace(/<[^>]*>/g, ' ');
	expect(drawn).toContain('tester · TEST ');
	expect(drawn).toContain('tester · TEST:2');
});
