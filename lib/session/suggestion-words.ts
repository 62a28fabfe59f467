import { english, type Plain, type Say } from '../messages/say.ts';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Where the client keeps what was allowed, in words. */
const places: Readonly<Record<string, Plain>> = {
	session: 'in this session',
	localSettings: 'for you in this project',
	projectSettings: 'for everybody in this project',
	userSettings: 'for you in all projects',
};

/**
 * One of the client's own suggestions of what to allow for good, in words; text of an agent may be in it. What is not
 * known is shown as it came: nobody chooses what they cannot read.
 */
export function suggestionWords(suggestion: unknown, say: Say = english): string {
	if (!isObject(suggestion)) return JSON.stringify(suggestion);
	const { type, rules, behavior, directories, mode, destination } = suggestion;
	const where = typeof destination === 'string' ? ` (${placeWords(destination, say)})` : '';
	const ruled = listOf(rules).map((rule) =>
		isObject(rule) ? `${rule.toolName}${rule.ruleContent === undefined ? '' : `(${rule.ruleContent})`}` : String(rule),
	);
	if (type === 'addRules' && ruled.length > 0) {
		const always = behavior === undefined || behavior === 'allow' ? say('always allow') : `always ${behavior}`;
		return `${always} ${ruled.join(', ')}${where}`;
	}
	if (type === 'addDirectories') {
		return say('work in {folders}', { folders: `${listOf(directories).join(', ')}${where}` });
	}
	if (type === 'setMode') return say('permission mode {mode}', { mode: `${mode}${where}` });
	return JSON.stringify(suggestion);
}

function placeWords(place: string, say: Say): string {
	const words = Object.hasOwn(places, place) ? places[place] : undefined;
	return words === undefined ? place : say(words);
}
