import type { ModelAnswer } from './model-answer.ts';

/** US dollars for a million tokens. */
interface TokenPrices {
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
	/** Kept for an hour; as `cacheWrite` if absent. */
	cacheHour?: number;
}

/** `long` replaces the prices for a prompt of more than `above` tokens. */
interface ModelPrices extends TokenPrices {
	long?: TokenPrices & { above: number };
}

export interface PriceTable {
	/** `2026-11-22`, with `, settings` if a person's own prices are in it. */
	date: string;
	models: ReadonlyMap<string, ModelPrices>;
	fast: ReadonlyMap<string, ModelPrices>;
}

/** The prices of a model. Unless given, those of the cache follow from that of the input. */
function pricesFrom(input: number, output: number, cacheRead = input / 10): ModelPrices {
	return { input, output, cacheRead, cacheWrite: input * 1.25, cacheHour: input * 2 };
}

const HAIKU_5_5: ModelPrices = { ...pricesFrom(0.1, 0.5), long: { ...pricesFrom(0.5, 2.5), above: 100_000 } };

/** As Claude Code 2.1.330 has them. Other models have no price; `usage.prices` of `config.json` adds some. */
export const listPrices: PriceTable = {
	date: '2026-11-22',
	models: new Map([
		['claude-3-5-haiku', pricesFrom(0.8, 4)],
		['claude-haiku-4-5', pricesFrom(1, 5)],
		['claude-haiku-5-5', HAIKU_5_5],
		['claude-3-5-sonnet', pricesFrom(3, 15)],
		['claude-3-7-sonnet', pricesFrom(3, 15)],
		['claude-sonnet-4', pricesFrom(3, 15)],
		['claude-sonnet-4-5', pricesFrom(3, 15)],
		['claude-sonnet-4-6', pricesFrom(3, 15)],
		['claude-sonnet-5', pricesFrom(2, 10)],
		['claude-sonnet-5-5', pricesFrom(2, 10, 0.1)],
		['claude-opus-4', pricesFrom(15, 75)],
		['claude-opus-4-1', pricesFrom(15, 75)],
		['claude-opus-4-5', pricesFrom(5, 25)],
		['claude-opus-4-6', pricesFrom(5, 25)],
		['claude-opus-4-7', pricesFrom(5, 25)],
		['claude-opus-4-8', pricesFrom(5, 25)],
		['claude-opus-5', pricesFrom(5, 25)],
		['claude-opus-5-5', pricesFrom(4, 20, 0.2)],
		['claude-fable-5', pricesFrom(10, 50)],
		['claude-fable-5-1', pricesFrom(10, 50, 0.25)],
		['claude-fable-5-2', pricesFrom(8, 40, 0.2)],
		['claude-mythos-5', pricesFrom(10, 50)],
		['claude-mythos-5-1', pricesFrom(10, 50, 0.25)],
		['claude-mythos-5-2', pricesFrom(8, 40, 0.2)],
	]),
	fast: new Map([
		['claude-opus-4-6', pricesFrom(30, 150)],
		['claude-opus-4-7', pricesFrom(30, 150)],
		['claude-opus-4-8', pricesFrom(10, 50)],
		['claude-opus-5', pricesFrom(10, 50)],
		['claude-opus-5-5', pricesFrom(8, 40, 0.4)],
		['claude-fable-5-2', pricesFrom(16, 80, 0.4)],
		['claude-mythos-5-2', pricesFrom(16, 80, 0.4)],
	]),
};

const WEB_SEARCH_PRICE = 0.01;

const US_ONLY_FACTOR = 1.1;

const MILLION = 1_000_000;

/** US dollars for an answer; undefined if its model has no price. */
export function costOf(answer: ModelAnswer, table: PriceTable): number | undefined {
	const prices = pricesOf(answer, table);
	if (!prices) return undefined;
	const { input, output, cacheRead, cacheWrite, cacheHour = cacheWrite } = forPrompt(prices, answer);
	const hour = Math.min(answer.cacheHourTokens, answer.cacheWriteTokens);
	const tokens =
		answer.inputTokens * input +
		answer.outputTokens * output +
		answer.cacheReadTokens * cacheRead +
		hour * cacheHour +
		(answer.cacheWriteTokens - hour) * cacheWrite;
	return (tokens / MILLION) * (answer.usOnly ? US_ONLY_FACTOR : 1) + answer.webSearches * WEB_SEARCH_PRICE;
}

/** A person's price is by the client's name; the list knows plain names. */
function pricesOf({ model, fast }: ModelAnswer, { models, fast: fastModels }: PriceTable): ModelPrices | undefined {
	const prices = fast ? fastModels : models;
	return prices.get(model) ?? prices.get(plainModel(model));
}

/** Without provider, region, day, version and size of context: `us.anthropic.claude-opus-5-v1:0`. */
export function plainModel(model: string): string {
	return model
		.replace(/\[\d+[km]\]$/i, '')
		.replace(/^(?:[a-z-]{1,20}[./]){0,2}(?=claude-)/, '')
		.replace(/-v\d{1,3}(?::\d{1,3})?$/, '')
		.replace(/[@-]\d{8}$/, '')
		.replace(/-0$/, '');
}

function forPrompt(prices: ModelPrices, answer: ModelAnswer): TokenPrices {
	const prompt = answer.inputTokens + answer.cacheReadTokens + answer.cacheWriteTokens;
	return prices.long && prompt > prices.long.above ? prices.long : prices;
}
