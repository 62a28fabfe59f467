const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Where the client keeps what was allowed, in words. */
const places: Readonly<Record<string, string>> = {
	session: 'in this session',
	localSettings: 'for you in this project',
	projectSettings: 'for everybody in this project',
	userSettings: 'for you in all projects',
};

/**
 * One of the client's own suggestions of what to allow for good, in words; text of an agent may be in it. What is not
 * known is shown as it came: nobody chooses what they cannot read.
 */
export function suggestionWords(suggestion: unknown): string {
	if (!isObject(suggestion)) return JSON.stringify(suggestion);
	const { type, rules, behavior, directories, mode, destination } = suggestion;
	const where = typeof destination === 'string' ? ` (${placeWords(destination)})` : '';
	const ruled = listOf(rules).map((rule) =>
		isObject(rule) ? `${rule.toolName}${rule.ruleContent === undefined ? '' : `(${rule.ruleContent})`}` : String(rule),
	);
	if (type === 'addRules' && ruled.length > 0) return `always ${behavior ?? 'allow'} ${ruled.join(', ')}${where}`;
	if (type === 'addDirectories') return `work in ${listOf(directories).join(', ')}${where}`;
	if (type === 'setMode') return `permission mode ${mode}${where}`;
	return JSON.stringify(suggestion);
}

const placeWords = (place: string): string => (Object.hasOwn(places, place) && places[place]) || place;
