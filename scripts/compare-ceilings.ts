import type { HouseNumbers } from './measure-house.ts';

/** What is higher than its ceiling in `ceilings.json`, or has none: each as a sentence that says what to do. */
export function overCeilings(measured: HouseNumbers, ceilings: HouseNumbers): string[] {
	return Object.entries(measured).flatMap(([what, numbers]) =>
		Object.entries(numbers).flatMap(([of, number]) => {
			const most = ceilings[what]?.[of];
			if (most === undefined) return [`${what} of ${of}: ${number}, and no ceiling: npm run ceilings.`];
			if (number <= most) return [];
			return [
				`${what} of ${of}: ${number}, at most ${most}. Make it smaller, or raise it with a reason: npm run ceilings -- --raise "WHY".`,
			];
		}),
	);
}

/** The ceilings with each brought down to what was measured. None rises; what is gone goes. */
export function loweredCeilings(measured: HouseNumbers, ceilings: HouseNumbers): HouseNumbers {
	return Object.fromEntries(
		Object.entries(measured).map(([what, numbers]) => [
			what,
			Object.fromEntries(
				Object.entries(numbers).map(([of, number]) => [of, Math.min(number, ceilings[what]?.[of] ?? number)]),
			),
		]),
	);
}

/** Raises `ceilings` in place where the house has grown, and gives what it raised, each with `why`. */
export function raisedCeilings(measured: HouseNumbers, ceilings: HouseNumbers, why: string): string[] {
	return Object.entries(measured).flatMap(([what, numbers]) =>
		Object.entries(numbers).flatMap(([of, number]) => {
			const most = ceilings[what]?.[of] ?? 0;
			if (number <= most) return [];
			ceilings[what] = { ...ceilings[what], [of]: number };
			return [`${what} of ${of} from ${most} to ${number}: ${why}`];
		}),
	);
}
