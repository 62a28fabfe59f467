import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { emptyView } from '#lib/session/fold.ts';
import { noUsage } from '#lib/usage/usage-totals.ts';
import { UsageBars } from './overview.tsx';

test('in Tokens and cost the runs of one agent are one line: the table of stages has the rest', () => {
	const agent = (agentId: string, stage: string) => ({ agentId, name: 'tester', stage, starts: 1, ends: 1, calls: 1 });
	const view = {
		...emptyView('s'),
		agents: [agent('a', 'TEST'), agent('b', 'TEST:2')],
		usage: {
			total: noUsage,
			models: [],
			agents: [
				{ name: 'a', ...noUsage, inputTokens: 3 },
				{ name: 'b', ...noUsage, inputTokens: 1 },
			],
			stages: [],
			read: [],
		},
	};
	const drawn = renderToStaticMarkup(<UsageBars view={view} />).replace(/<[^>]*>/g, ' ');
	expect(drawn.match(/tester/g)).toHaveLength(1);
	expect(drawn).toMatch(/tester\s+4 tokens/);
});
