import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { decisions } from '#lib/timeline/story.ts';

export const tabs = ['overview', 'story', 'lanes', 'plan', 'verdicts', 'raw'] as const;
export type Tab = (typeof tabs)[number];

/** How a story is read: as a tree, row by row, or as a conversation. */
export const readings = ['tree', 'flat', 'conversation'] as const;
export type Reading = (typeof readings)[number];

const parsers = {
	tab: parseAsStringLiteral(tabs).withDefault('story'),
	/** Key of the selected row. */
	row: parseAsString,
	/** Of the story; absent it is as this browser read one last. */
	reading: parseAsStringLiteral(readings),
	tool: parseAsString,
	agent: parseAsString,
	type: parseAsString,
	decision: parseAsStringLiteral(decisions),
	/** Of notes. */
	label: parseAsString,
};

/** Everything that changes what the session page shows; a copied address opens the same view. */
export function useSessionParams() {
	return useQueryStates(parsers, { history: 'push', scroll: false });
}
