import type { ModelAnswer } from './model-answer.ts';
import { type ModelPrices, type PriceTable, type TokenPrices, US_ONLY_FACTOR, WEB_SEARCH_PRICE } from './prices.ts';

const MILLION = 1_000_000;

/** What an answer cost in US dollars; undefined where its model has no price. */
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

/** A person's price holds for the name that the client gives; the list knows models by their plain names. */
function pricesOf({ model, fast }: ModelAnswer, { models, fast: fastModels }: PriceTable): ModelPrices | undefined {
	const prices = fast ? fastModels : models;
	return prices.get(model) ?? prices.get(plainModel(model));
}

/** The model's own name, without provider, region, day, version and size of context: `us.anthropic.claude-opus-5-v1:0`. */
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
