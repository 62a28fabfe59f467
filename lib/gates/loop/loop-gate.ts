import { printable } from '../../text/printable.ts';
import { LOOP_LIMITS } from '../../workflow/loop-fold.ts';
import { defineGate, type LoopFacts, STAGES_ARE_REPORTED, type Verdict, verdictsOn } from '../gate.ts';

export const LOOP_GATE = 'loop';

/** `wait` for agents in the background, `rest` while paused. */
export type LoopEnd = 'wait' | 'rest' | 'go-on' | 'complete' | 'abort';

export interface LoopVerdict extends Verdict {
	end: LoopEnd;
}

/**
 * The agent continues while stages or boxes are open and no person paused the workflow. The loop ends when stopped,
 * at a limit, after three errors in a row, or when all is done; with a failed stage it is aborted.
 */
export function judgeLoop(facts: LoopFacts): LoopVerdict {
	const verdict = verdictsOn(LOOP_GATE, 'loop', facts);
	const loopVerdict = (end: LoopEnd, rule: string, reason: string): LoopVerdict => ({
		...verdict(end === 'go-on' ? 'deny' : 'pass', rule, reason),
		end,
	});
	if (facts.running > 0)
		return loopVerdict('wait', 'agents-running', `${facts.running} agents still work in the background`);
	if (facts.paused) return loopVerdict('rest', 'paused', 'the workflow is paused');
	if (facts.stopped) return loopVerdict('abort', 'stopped', 'the loop was stopped');
	if (facts.fatal !== null) return loopVerdict('abort', 'fatal', printable(facts.fatal, 300));
	if (facts.iteration >= LOOP_LIMITS.iterations) {
		return loopVerdict('abort', 'max-iterations', `${facts.iteration} rounds are the most`);
	}
	if (facts.consecutiveErrors >= LOOP_LIMITS.consecutiveErrors) {
		return loopVerdict('abort', 'errors', `${facts.consecutiveErrors} agents in a row failed`);
	}
	if (facts.openStages.length > 0) {
		return loopVerdict('go-on', 'open-stages', `these stages are open: ${list(facts.openStages)}`);
	}
	if (facts.failedStages.length > 0) return loopVerdict('abort', 'failed-stage', `${list(facts.failedStages)} failed`);
	if (facts.boxesDone < facts.boxesTotal) {
		return loopVerdict(
			'go-on',
			'open-boxes',
			`${facts.boxesTotal - facts.boxesDone} tasks are open: ${list(facts.openBoxes)}`,
		);
	}
	return loopVerdict('complete', 'done', 'all stages and tasks are done');
}

function list(items: readonly string[]): string {
	const shown = items.slice(0, 5).map((item) => printable(item, 100));
	return `${shown.join(', ')}${items.length > 5 ? ` and ${items.length - 5} more` : ''}`;
}

/** `4/8`, as `loop:advance` records them. */
export function countProgress(facts: LoopFacts): { progress: string; tasks: string } {
	return {
		progress: `${facts.stagesDone}/${facts.stagesTotal}`,
		tasks: `${facts.boxesDone}/${facts.boxesTotal}`,
	};
}

function loopDirective(facts: LoopFacts): string {
	const { progress, tasks } = countProgress(facts);
	const boxes = facts.boxesTotal === 0 ? '' : `, ${tasks} tasks`;
	const isDone = facts.openStages.length === 0;
	const step = isDone ? `Do the open tasks and tick them: ${facts.openBoxes.join('; ')}.` : (facts.nextStep ?? '');
	return [
		`The workflow ${facts.workflowType} is not finished (${progress} stages${boxes}): ${judgeLoop(facts).reason}.`,
		step,
		`Go on without asking the person. This is round ${facts.iteration + 1} of ${LOOP_LIMITS.iterations}; only the person may end it, with ${facts.stopWith}.`,
	].join('\n');
}

export const loop = defineGate({
	id: LOOP_GATE,
	setting: 'loop',
	at: ['turn-end'],
	deeds: [],
	start: 'on',
	profile: 'open',
	basis: STAGES_ARE_REPORTED,
	mayHold: false,
	settings: ['workflow.enabled'],
	seed: '001',
	denies: {
		'loop.open-stages': 'stopping while stages of the workflow are open',
		'loop.open-boxes': 'stopping while tasks of the feature are open',
	},
	judgedBy: {
		facts(_hook, { loop: find }) {
			const found = find();
			// While agents work in the background there is no stop to judge.
			return found && found.running === 0 ? found : null;
		},
		judge(facts: LoopFacts) {
			const { end: _end, ...verdict } = judgeLoop(facts);
			return verdict;
		},
		directive: loopDirective,
	},
});
