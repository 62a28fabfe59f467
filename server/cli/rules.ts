import { findSettings } from '#hooks-bridge/engine/facts.ts';
import { withNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { ATTACKED, attackLines } from '#lib/commands/attacks/attack-lines.ts';
import { type CommandPolicy, judgeCommand } from '#lib/commands/command-policy.ts';
import { unjudgedReason } from '#lib/gates/command-policy/command-policy-gate.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { printable } from '#lib/text/printable.ts';
import { defineCommand, EXIT, type Terminal, tableLines, UsageError } from '../process/command.ts';
import { homeOf } from '../process/home.ts';

const SHOWN_CHARS = 2000;
const HOW_TO_EXCLUDE =
	'To deny `rm`, for example, write {"commands": {"exclude": ["rm"]}} into .overtone/config.json in the project, then run `signalbox init` in the project.';

export const rules = defineCommand({
	usage: "rules test 'COMMAND' | rules coverage [--json]",
	about: [
		'Tests the command policy of this home and project. Runs nothing and changes nothing.',
		"  test 'COMMAND'  judge one command line, and name the part that causes the verdict",
		'  coverage        judge a corpus of attacks, by class: lines that run an excluded program in every known way',
		'Denied: the line runs an excluded program. Asked: only running the line would show what runs, so a person decides if',
		'calls wait here.',
	].join('\n'),
	options: {
		json: { type: 'boolean', about: 'print the result as JSON; `coverage` lists each line that passes' },
	},
	verbs: { test: 100, coverage: 0 },
	examples: ['signalbox rules test \'git rebase --exec "rm -rf x"\'', 'signalbox rules coverage'],
	exits: {
		0: 'test: the line passes; coverage: no line passes',
		1: 'test: the line is denied or asked; coverage: a line passes, or nothing is excluded',
	},
	run({ json = false }, [what, line, more], terminal) {
		if (what === 'coverage') return coverage(policyAt(terminal), json, terminal);
		if (line === undefined || more !== undefined) {
			throw new UsageError("Quote the whole command as one word, e.g. rules test 'git status'.");
		}
		return testLine(line, policyAt(terminal), json, terminal);
	},
});

/** The command policy that hooks of this project apply. */
function policyAt(terminal: Terminal): Settings['commands'] {
	const { env, cwd } = terminal;
	return withNodePorts(homeOf(terminal), (ports) => {
		const project = env.CLAUDE_PROJECT_DIR?.startsWith('/') ? env.CLAUDE_PROJECT_DIR : ports.projectRootOf(cwd);
		const { commands, problems } = findSettings(project, ports);
		for (const problem of problems) terminal.say(`warning: ${problem}`);
		return commands;
	});
}

function testLine(line: string, policy: Settings['commands'], asJson: boolean, terminal: Terminal): number {
	const verdict = judgeCommand(line, policy);
	const unread = verdict.decision === 'pass' ? policy.unread : undefined;
	if (asJson) terminal.print(JSON.stringify({ ...verdict, ...(unread !== undefined && { unjudged: unread }) }));
	else if (unread !== undefined)
		terminal.print(`not judged: ${unjudgedReason(unread)}. An entry that fails closed denies it.`);
	else if (verdict.decision === 'pass') {
		const why =
			policy.exclude.length === 0 ? `nothing is excluded here. ${HOW_TO_EXCLUDE}` : 'it runs nothing that is excluded';
		terminal.print(`passes: ${why}`);
	} else {
		const { rule, reason, pattern, span } = verdict;
		const part = line.slice(span.start, span.end);
		terminal.print(
			`denied: ${printable(reason, SHOWN_CHARS)} (${rule}${pattern === '' ? '' : `, pattern ${pattern}`})`,
		);
		if (part !== line) terminal.print(`  by this part of the line: ${printable(part, SHOWN_CHARS)}`);
		terminal.print('  If calls wait here, a person decides. A person can also allow exactly this line in this folder.');
	}
	return verdict.decision === 'pass' && unread === undefined ? EXIT.done : EXIT.failed;
}

interface ClassCount {
	name: string;
	lines: number;
	denied: number;
	asked: number;
	passed: string[];
}

function coverage(policy: CommandPolicy, asJson: boolean, terminal: Terminal): number {
	if (policy.exclude.length === 0) throw new Error(`Nothing is excluded here, so every line passes. ${HOW_TO_EXCLUDE}`);
	const attacked = { ...policy, exclude: [...policy.exclude, ATTACKED] };
	const classes = attackLines().map(({ name, lines }): ClassCount => {
		const count: ClassCount = { name, lines: lines.length, denied: 0, asked: 0, passed: [] };
		for (const line of lines) {
			const verdict = judgeCommand(line, attacked);
			if (verdict.decision === 'pass') count.passed.push(line);
			else if (verdict.rule === 'command.excluded') count.denied += 1;
			else count.asked += 1;
		}
		return count;
	});
	const sum = (of: (each: ClassCount) => number): number => classes.reduce((before, each) => before + of(each), 0);
	const passed = sum((each) => each.passed.length);
	if (asJson) terminal.print(JSON.stringify(classes));
	else {
		const total = { name: 'total', lines: sum((each) => each.lines), denied: sum((each) => each.denied) };
		const all = [...classes, { ...total, asked: sum((each) => each.asked), passed: { length: passed } }];
		const rows = all.map(({ name, lines, denied, asked, passed: { length } }) => [
			name,
			...[lines, denied, asked, length].map(String),
		]);
		for (const line of tableLines([['class', 'lines', 'denied', 'asked', 'passed'], ...rows], [1, 2, 3, 4]))
			terminal.print(line);
	}
	return passed === 0 ? EXIT.done : EXIT.failed;
}
