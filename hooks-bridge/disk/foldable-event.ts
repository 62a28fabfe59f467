import type { KnownEvent } from '#lib/contract/events/event.ts';
import { isJson, type Json } from '#lib/json/json.ts';

/** The event types that workflow.json and loop.json are folded from, with the text fields that each must have. */
const FOLDED: Readonly<Record<string, readonly string[]>> = {
	'workflow:start': ['workflowType'],
	'workflow:complete': [],
	'workflow:abort': [],
	'workflow:pause': [],
	'workflow:resume': [],
	'workflow:adopt': ['file'],
	'stage:start': ['stage'],
	'stage:complete': ['stage'],
	'stage:retry': ['stage'],
	'agent:delegate': ['agent'],
	'agent:start': ['agent'],
	'agent:complete': ['agent'],
	'agent:error': ['agent'],
	'tool:result': ['toolUseId', 'startedAgentId'],
	'tool:error': ['toolUseId'],
	'parallel:start': [],
	'parallel:converge': ['group'],
	'loop:start': [],
	'loop:advance': [],
	'loop:complete': [],
	'session:start': [],
	'session:end': [],
	'specs:init': ['featureName'],
	'error:fatal': ['reason'],
};
const TEXTS = [
	'agent',
	'stage',
	'source',
	'agentId',
	'toolUseId',
	'result',
	'reason',
	'group',
	'workflowType',
	'featureName',
];
const MENTIONS =
	/"type":\s*"(?:(?:workflow|stage|agent|parallel|loop):|session:(?:start|end)"|specs:init|error:fatal|tool:error)|"startedAgentId"/;

/**
 * The event in a timeline's line, as far as the folds need it; null for any other. Other programs append too, so every field that
 * the folds use is checked here; most lines are skipped without being parsed.
 */
export function foldableEvent(line: string, sessionId: string): KnownEvent | null {
	if (!MENTIONS.test(line)) return null;
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return null;
	}
	return isJson(value) && isFoldable(value) ? ({ ...value, sessionId } as unknown as KnownEvent) : null;
}

function isFoldable(event: Json): boolean {
	const { type, ts } = event;
	if (typeof type !== 'string' || typeof ts !== 'string' || !Object.hasOwn(FOLDED, type)) return false;
	if (!FOLDED[type]?.every((name) => typeof event[name] === 'string')) return false;
	if (TEXTS.some((name) => event[name] !== undefined && typeof event[name] !== 'string')) return false;
	if (type === 'workflow:adopt') return isJson(event.state);
	if (type === 'loop:advance') return typeof event.iteration === 'number';
	const { stages } = event;
	return stages === undefined || (Array.isArray(stages) && stages.every((stage) => typeof stage === 'string'));
}
