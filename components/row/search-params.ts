import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { decisions } from '#lib/timeline/story.ts';

export const tabs = ['overview', 'story', 'lanes', 'plan', 'verdicts', 'raw'] as const;
export type Tab = (typeof tabs)[number];

export const readings = ['tree', 'flat', 'conversation'] as const;
export type Reading = (typeof readings)[number];

const parsers = {
	tab: parseAsStringLiteral(tabs).withDefault('story'),
	row: parseAsString,
	/** How the story is shown. Absent: as last used in this browser. */
	reading: parseAsStringLiteral(readings),
	tool: parseAsString,
	agent: parseAsString,
	type: parseAsString,
	decision: parseAsStringLiteral(decisions),
	label: parseAsString,
};

/** Tab, open row and filters of a session page, in the URL; each change is a step of the history. */
export const useSessionParams = () => useQueryStates(parsers, { history: 'push', scroll: false });
