const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * One of the client's own suggestions of what to allow for good, in words; text of an agent may be in it. What is not
 * known is shown as it came: nobody chooses what they cannot read.
 */
export function suggestionWords(suggestion: unknown): string {
	if (!isObject(suggestion)) return JSON.stringify(suggestion);
	const { type, rules, behavior, directories, mode, destination } = suggestion;
	const where = typeof destination === 'string' ? ` (${destination})` : '';
	const ruled = listOf(rules).map((rule) =>
		isObject(rule) ? `${rule.toolName}${rule.ruleContent === undefined ? '' : `(${rule.ruleContent})`}` : String(rule),
	);
	if (type === 'addRules' && ruled.length > 0) return `always ${behavior ?? 'allow'} ${ruled.join(', ')}${where}`;
	if (type === 'addDirectories') return `work in ${listOf(directories).join(', ')}${where}`;
	if (type === 'setMode') return `permission mode ${mode}${where}`;
	return JSON.stringify(suggestion);
}
