import type { Plain } from '#lib/messages/say.ts';

/** Questions about all sessions and archives that everybody may ask; a reader's own are saved beside them. */
export const questions: readonly { name: Plain; query: string }[] = [
	{ name: 'Every override, and what happened next', query: '?kind=overridden&followed=true' },
	{ name: 'Every denial, and what the agent did then', query: '?kind=denied&followed=true' },
	{ name: 'Let run, and it failed', query: '?kind=overridden&outcome=failed&followed=true' },
	{ name: 'Nobody answered in time', query: '?state=expired&followed=true' },
];
