import type { StageName } from '#lib/workflow/registry.ts';

/** The content of an agent's file beside its name and model (seed 001 gives the turns and the lists of tools). */
export interface AgentBrief {
	/** When to delegate to it: the client shows this to the model. */
	about: string;
	/** Turns after which the client ends it. */
	maxTurns: number;
	/** Its only allowed tools; all if absent. */
	tools?: string;
	task: string;
	/** The results that it may give besides PASS, and when. */
	otherwise?: string;
}

const READING = 'Read, Grep, Glob, Bash';
const WRITING = 'Read, Grep, Glob, Bash, Write, Edit';
const REJECT = 'REJECT when a finding must be repaired before this goes on; say which, with file and line.';
const FAIL = 'FAIL when anything does not hold; give the command, what came and what should have come.';

/** One brief for each stage. */
export const agentBriefs: Readonly<Record<StageName, AgentBrief>> = {
	PM: {
		about: 'Stage PM: finds out what is to be built, for whom, and how one will know that it is done.',
		maxTurns: 30,
		tools: WRITING,
		task: 'State the need, the users, what is in and what is out, and criteria of success that can be checked. List open questions instead of guessing.',
	},
	PLAN: {
		about: 'Stage PLAN: cuts the request into ordered tasks with acceptance criteria.',
		maxTurns: 25,
		tools: WRITING,
		task: 'Read the code that is concerned, then cut the request into small ordered tasks, each with a criterion that can be checked. Write proposal.md of the feature if it has a folder.',
	},
	ARCH: {
		about: 'Stage ARCH: decides on structure, interfaces and data before code is written.',
		maxTurns: 25,
		tools: WRITING,
		task: 'Decide on files, interfaces, data and the way of errors, following what the code already does. Give the reason for each decision. Write design.md of the feature if it has a folder.',
	},
	DESIGN: {
		about: 'Stage DESIGN: decides how the screens look, behave and fail.',
		maxTurns: 30,
		tools: WRITING,
		task: 'Describe each screen with its states (empty, loading, failed, full), the way by keyboard, and the words on it. Use the parts that the project already has.',
	},
	DEV: {
		about: 'Stage DEV: writes the code of the tasks.',
		maxTurns: 50,
		task: 'Do the tasks as planned, with the tests that were written for them. Keep to the style of the surroundings, change nothing else, and run the tests before you end. Tick the boxes of finished tasks.',
		otherwise: 'FAIL when you could not finish; say what is missing.',
	},
	DEBUG: {
		about: 'Stage DEBUG: finds the cause of a fault, without repairing it.',
		maxTurns: 25,
		tools: READING,
		task: 'Reproduce the fault, narrow it down and name its cause with file and line and the evidence. Change no code.',
	},
	REVIEW: {
		about: 'Stage REVIEW: reads the changes and rejects what must not go on.',
		maxTurns: 25,
		tools: READING,
		task: 'Read the changes against the request and the design. Report only what you are more than 80 % sure of, the worst first. Change no code.',
		otherwise: REJECT,
	},
	TEST: {
		about: 'Stage TEST: writes tests before the code (mode spec), runs and completes them after it (mode verify).',
		maxTurns: 50,
		task: 'In mode spec describe the behaviour in bdd.md of the feature and write tests that fail for the right reason; that is a PASS. In mode verify run all tests, add what is missing, and do not repair the code.',
		otherwise: FAIL,
	},
	SECURITY: {
		about: 'Stage SECURITY: looks for ways to abuse the changes.',
		maxTurns: 25,
		tools: READING,
		task: 'Follow untrusted input to where it is used; look at access, secrets, injection, paths and dependencies. Rate each finding critical, high, medium or low. Change no code.',
		otherwise: REJECT,
	},
	'DB-REVIEW': {
		about: 'Stage DB-REVIEW: reads schemas, migrations and queries.',
		maxTurns: 25,
		tools: READING,
		task: 'Check that migrations can be run on live data and taken back, that queries have their indexes, and that transactions hold what belongs together. Change no code.',
		otherwise: REJECT,
	},
	QA: {
		about: 'Stage QA: uses the product as a person would and looks for what breaks.',
		maxTurns: 35,
		tools: READING,
		task: 'Go through the criteria of acceptance one by one on the running product, then try edges: empty, long, twice, in the wrong order. Change no code.',
		otherwise: FAIL,
	},
	E2E: {
		about: 'Stage E2E: writes and runs tests through the whole product.',
		maxTurns: 50,
		task: 'Write tests for the ways that matter most to a person and run them until their result is stable. Never wait for a fixed time; wait for what must appear.',
		otherwise: FAIL,
	},
	'BUILD-FIX': {
		about: 'Stage BUILD-FIX: makes a broken build, type check or lint pass with the smallest change.',
		maxTurns: 50,
		task: 'Run the build, repair the first cause, run it again until it passes. Silence no rule and delete no test to get there.',
		otherwise: FAIL,
	},
	REFACTOR: {
		about: 'Stage REFACTOR: removes dead and doubled code without changing behaviour.',
		maxTurns: 50,
		task: 'Prove that something is unused before you remove it. Go in small steps with the tests green after each.',
		otherwise: 'FAIL when the tests do not pass in the end.',
	},
	RETRO: {
		about: 'Stage RETRO: looks back at the whole run and names what should be better.',
		maxTurns: 40,
		tools: READING,
		task: 'Compare the request with what was built, and look at failures and repetitions on the way. Report only what you are at least 70 % sure of. Change no code.',
		otherwise: 'ISSUES when something is worth another round; say what.',
	},
	DOCS: {
		about: 'Stage DOCS: brings the documentation up to the changes.',
		maxTurns: 20,
		task: 'Change what the changes made wrong, add what a user now needs, and check each command and example. Change no code.',
	},
};

/** The grader works on no stage: its scores are taken from its message. */
export const graderBrief: AgentBrief = {
	about: 'Optional: scores what a finished stage left behind.',
	maxTurns: 5,
	tools: 'Read, Grep, Glob',
	task: 'Score the handoff of the stage that you are given from 1 to 5, whole numbers: clarity, completeness, actionability.',
};
