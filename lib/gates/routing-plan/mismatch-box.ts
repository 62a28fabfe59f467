import { printable } from '../../text/printable.ts';

/** What the box tells of a mismatch. */
interface MismatchFacts {
	tool: string;
	actual: string | null;
	planId?: string;
	expected: readonly string[];
}

const TITLE = ' Agent Type Mismatch ';
const WIDE =
	/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const MAX_SAMPLES = 8;
const MIN_WIDTH = 48;
const MAX_WIDTH = 100;

/** Columns of a terminal that a line takes; East Asian wide characters take two. */
function columns(line: string): number {
	return [...line].reduce((sum, char) => sum + (WIDE.test(char) ? 2 : 1), 0);
}

/**
 * The message that a person sees with a denial (seed 000): a box without side walls, so that each line can be
 * copied and wide characters cannot break it; plan id, both agents, one sample call for each expected agent.
 */
export function mismatchBox(facts: MismatchFacts): string {
	const tool = facts.tool === 'Task' ? 'Task' : 'Agent';
	const samples = facts.expected
		.slice(0, MAX_SAMPLES)
		.map((agent) => `  ${tool}(${JSON.stringify({ subagent_type: printable(agent, 60), prompt: '...' })})`);
	const more = facts.expected.length - samples.length;
	const body = [
		`預期使用: ${agentList(facts.expected)}`,
		`實際使用: ${printable(facts.actual ?? '', 100)}`,
		`路由計劃: ${printable(facts.planId ?? 'unknown', 100)}`,
		'',
		'正確用法 (use one of these):',
		...samples,
		...(more > 0 ? [`  … ${more} more`] : []),
	];
	const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, ...body.map(columns)));
	const side = width - TITLE.length;
	const left = '═'.repeat(Math.floor(side / 2));
	const right = '═'.repeat(Math.ceil(side / 2));
	return [`╔${left}${TITLE}${right}╗`, ...body, `╚${'═'.repeat(width)}╝`].join('\n');
}

/** Names of agents for a message; lists beyond 20 are cut and say so. */
export function agentList(agents: readonly string[]): string {
	const shown = agents.slice(0, 20).map((agent) => printable(agent, 60));
	const more = agents.length - shown.length;
	return `[${shown.join(', ')}${more > 0 ? `, … ${more} more` : ''}]`;
}
