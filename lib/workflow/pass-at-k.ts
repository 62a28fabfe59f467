import type { StageResult } from '../contract/sessions/read-model/workflow-state.ts';

export interface StageScore {
	pass1: boolean;
	pass3: boolean;
	passConsecutive3: boolean | null;
}

/** Rates have four decimals; null without stages. */
export interface PassAtK {
	stages: Record<string, StageScore>;
	stageCount: number;
	pass1Count: number;
	pass3Count: number;
	unclearCount: number;
	pass1Rate: number | null;
	pass3Rate: number | null;
}

const rate = (part: number, whole: number): number | null =>
	whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

/** Oldest attempt first. Only a spoken pass counts. */
export function passAtK(attempts: Readonly<Record<string, readonly (StageResult | null)[]>>): PassAtK {
	const scored = Object.entries(attempts)
		.filter(([, results]) => results.length > 0)
		.map(([key, results]): [string, StageScore] => [
			key,
			{
				pass1: results[0] === 'pass',
				pass3: results.slice(0, 3).includes('pass'),
				passConsecutive3: results.length < 3 ? null : results.slice(-3).every((result) => result === 'pass'),
			},
		]);
	const pass1Count = scored.filter(([, score]) => score.pass1).length;
	const pass3Count = scored.filter(([, score]) => score.pass3).length;
	return {
		stages: Object.fromEntries(scored),
		stageCount: scored.length,
		pass1Count,
		pass3Count,
		unclearCount: Object.values(attempts).filter(([first]) => first === 'unclear').length,
		pass1Rate: rate(pass1Count, scored.length),
		pass3Rate: rate(pass3Count, scored.length),
	};
}
