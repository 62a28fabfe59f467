import { findSettings } from '#hooks-bridge/engine/facts.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { ATTACKED, attackLines } from '#lib/commands/attacks/attack-lines.ts';
import { type CommandPolicy, judgeCommand } from '#lib/commands/command-policy.ts';
import { printable } from '#lib/text/printable.ts';
import { defineCommand, EXIT, type Terminal, tableLines, UsageError } from '../process/command.ts';
import { homeOf } from '../process/home.ts';

const SHOWN_CHARS = 2000;
const HOW_TO_EXCLUDE =
	'To deny `rm`, for one, write {"commands": {"exclude": ["rm"]}} into .overtone/config.json in the project, then run `signalbox init` in the project.';

/** `signalbox rules` */
export const rules = defineCommand({
	usage: "rules test 'COMMAND' | rules coverage [--json]",
	about: [
		'What would the command policy say? `test` judges one line by the settings of this home and project, and names the',
		'part that is judged so. `coverage` judges a corpus of attacks by them: lines that run an excluded program in every way',
		'that is known here, by class. Denied: the program is named. Asked: nobody knows what would run, so that a person',
		'decides where calls wait. Nothing is run and nothing is changed.',
	].join('\n'),
	options: {
		json: { type: 'boolean', about: 'print the result as JSON; `coverage` lists each line that passes' },
	},
	verbs: { test: 100, coverage: 0 },
	examples: ['signalbox rules test \'git rebase --exec "rm -rf x"\'', 'signalbox rules coverage'],
	exits: {
		0: 'the line passes; no line of the corpus does',
		1: 'the line is denied; a line of the corpus passes, or nothing is excluded',
	},
	run({ json = false }, [what, line, more], terminal) {
		if (what === 'coverage') return coverage(policyAt(terminal), json, terminal);
		if (line === undefined || more !== undefined) {
			throw new UsageError("The whole command is one word: put it in quotes, e.g. rules test 'git status'.");
		}
		return testLine(line, policyAt(terminal), json, terminal);
	},
});

/** The commands that must not run here, as hooks of this project find them. */
function policyAt(terminal: Terminal): CommandPolicy {
	const { env, cwd } = terminal;
	const ports = createNodePorts({ home: homeOf(terminal) });
	try {
		const project = env.CLAUDE_PROJECT_DIR?.startsWith('/') ? env.CLAUDE_PROJECT_DIR : ports.projectRootOf(cwd);
		const { commands, problems } = findSettings(project, ports);
		for (const problem of problems) terminal.say(`warning: ${problem}`);
		return commands;
	} finally {
		ports.close();
	}
}

function testLine(line: string, policy: CommandPolicy, asJson: boolean, terminal: Terminal): number {
	const verdict = judgeCommand(line, policy);
	if (asJson) terminal.print(JSON.stringify(verdict));
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
		terminal.print('  It waits for a person where calls wait; a person can allow exactly this line in this folder.');
	}
	return verdict.decision === 'pass' ? EXIT.done : EXIT.failed;
}

interface ClassCount {
	name: string;
	lines: number;
	denied: number;
	asked: number;
	passed: string[];
}

function coverage(policy: CommandPolicy, asJson: boolean, terminal: Terminal): number {
	if (policy.exclude.length === 0) {
		terminal.say(`Nothing is excluded here, so that every line passes. ${HOW_TO_EXCLUDE}`);
		return EXIT.failed;
	}
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
