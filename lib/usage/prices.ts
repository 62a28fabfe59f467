/** US dollars for a million tokens. */
export interface TokenPrices {
	input: number;
	output: number;
	cacheRead: number;
	/** Kept for five minutes. */
	cacheWrite: number;
	/** Kept for an hour; as `cacheWrite` where it is left out. */
	cacheHour?: number;
}

/** Prices of a model; `long` takes their place for a prompt of more than `above` tokens. */
export interface ModelPrices extends TokenPrices {
	long?: TokenPrices & { above: number };
}

/** A price list: its day, and the prices by model. */
export interface PriceTable {
	/** `2026-11-22`, with `, settings` where a person's own prices are in it. */
	date: string;
	models: ReadonlyMap<string, ModelPrices>;
	/** The higher price of a faster run of the same model. */
	fast: ReadonlyMap<string, ModelPrices>;
}

/** As providers set their prices: those of the cache follow from that of the input. */
function tier(input: number, output: number, cacheRead = input / 10): ModelPrices {
	return { input, output, cacheRead, cacheWrite: input * 1.25, cacheHour: input * 2 };
}

const HAIKU_5_5: ModelPrices = { ...tier(0.1, 0.5), long: { ...tier(0.5, 2.5), above: 100_000 } };

/**
 * The list prices of the day in `date`, as Claude Code 2.1.330 has them. A model that is not in it has no price: its tokens
 * are counted without a cost. `usage.prices` of the person's `config.json` adds to it.
 */
export const listPrices: PriceTable = {
	date: '2026-11-22',
	models: new Map([
		['claude-3-5-haiku', tier(0.8, 4)],
		['claude-haiku-4-5', tier(1, 5)],
		['claude-haiku-5-5', HAIKU_5_5],
		['claude-3-5-sonnet', tier(3, 15)],
		['claude-3-7-sonnet', tier(3, 15)],
		['claude-sonnet-4', tier(3, 15)],
		['claude-sonnet-4-5', tier(3, 15)],
		['claude-sonnet-4-6', tier(3, 15)],
		['claude-sonnet-5', tier(2, 10)],
		['claude-sonnet-5-5', tier(2, 10, 0.1)],
		['claude-opus-4', tier(15, 75)],
		['claude-opus-4-1', tier(15, 75)],
		['claude-opus-4-5', tier(5, 25)],
		['claude-opus-4-6', tier(5, 25)],
		['claude-opus-4-7', tier(5, 25)],
		['claude-opus-4-8', tier(5, 25)],
		['claude-opus-5', tier(5, 25)],
		['claude-opus-5-5', tier(4, 20, 0.2)],
		['claude-fable-5', tier(10, 50)],
		['claude-fable-5-1', tier(10, 50, 0.25)],
		['claude-fable-5-2', tier(8, 40, 0.2)],
		['claude-mythos-5', tier(10, 50)],
		['claude-mythos-5-1', tier(10, 50, 0.25)],
		['claude-mythos-5-2', tier(8, 40, 0.2)],
	]),
	fast: new Map([
		['claude-opus-4-6', tier(30, 150)],
		['claude-opus-4-7', tier(30, 150)],
		['claude-opus-4-8', tier(10, 50)],
		['claude-opus-5', tier(10, 50)],
		['claude-opus-5-5', tier(8, 40, 0.4)],
		['claude-fable-5-2', tier(16, 80, 0.4)],
		['claude-mythos-5-2', tier(16, 80, 0.4)],
	]),
};

/** A search of the web, in US dollars. */
export const WEB_SEARCH_PRICE = 0.01;

/** What working inside the United States only multiplies the price of tokens by. */
export const US_ONLY_FACTOR = 1.1;
