import * as z from 'zod';
import { problemsOf, sectionOf } from '../json/named-settings.ts';
import { misspeltKeys } from '../text/near-words.ts';
import { listPrices, type PriceTable } from './prices.ts';

const Price = z.number().nonnegative().max(1_000_000);
export const Prices = z.object({
	input: Price,
	output: Price,
	cacheRead: Price.optional(),
	cacheWrite: Price.optional(),
	cacheHour: Price.optional(),
});
const Section = z.object({
	prices: z.record(z.string().min(1).max(128), z.unknown(), { error: 'is an object, prices by model' }).default({}),
});

/** The list with `usage.prices` of a parsed `config.json`. What does not fit is named. */
export function readPrices(config: unknown): { table: PriceTable; problems: string[] } {
	const given = sectionOf(config, 'usage');
	const problems = misspeltKeys('usage', given, Object.keys(Section.shape));
	const section = Section.safeParse(given);
	if (!section.success) return { table: listPrices, problems: [...problems, ...problemsOf('usage', section.error)] };
	const models = new Map(listPrices.models);
	const fast = new Map(listPrices.fast);
	let { date } = listPrices;
	for (const [model, of] of Object.entries(section.data.prices)) {
		problems.push(...misspeltKeys(`usage.prices.${model}`, of, Object.keys(Prices.shape)));
		const read = Prices.safeParse(of);
		if (!read.success) {
			problems.push(...problemsOf(`usage.prices.${model}`, read.error));
			continue;
		}
		const { input, output, cacheRead = input / 10, cacheWrite = input * 1.25, cacheHour = input * 2 } = read.data;
		const prices = { input, output, cacheRead, cacheWrite, cacheHour };
		date = `${listPrices.date}, settings`;
		models.set(model, prices);
		// A person's price applies to fast runs, too.
		fast.set(model, prices);
	}
	return { table: { date, models, fast }, problems };
}
