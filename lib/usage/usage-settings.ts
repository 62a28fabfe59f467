import * as z from 'zod';
import { problemsOf, sectionOf } from '../json/named-settings.ts';
import { listPrices, type PriceTable } from './prices.ts';

const Price = z.number().nonnegative().max(1_000_000);
const Prices = z.object({
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
	const section = Section.safeParse(sectionOf(config, 'usage'));
	if (!section.success) return { table: listPrices, problems: problemsOf('usage', section.error) };
	const models = new Map(listPrices.models);
	const fast = new Map(listPrices.fast);
	const problems: string[] = [];
	let { date } = listPrices;
	for (const [model, given] of Object.entries(section.data.prices)) {
		const read = Prices.safeParse(given);
		if (!read.success) {
			problems.push(...problemsOf(`usage.prices.${model}`, read.error));
			continue;
		}
		const { input, output, cacheRead = input / 10, cacheWrite = input * 1.25, cacheHour = input * 2 } = read.data;
		const prices = { input, output, cacheRead, cacheWrite, cacheHour };
		date = `${listPrices.date}, settings`;
		models.set(model, prices);
		// A person's price holds for a fast run, too.
		fast.set(model, prices);
	}
	return { table: { date, models, fast }, problems };
}
