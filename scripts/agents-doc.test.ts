import { expect, it } from 'vitest';
import { renderAgentsDoc } from './agents-doc.ts';

it('R1335 the document of agents says what the adapters can', async () => {
	await expect(renderAgentsDoc()).toMatchFileSnapshot('../docs/guide/agents.md');
});
