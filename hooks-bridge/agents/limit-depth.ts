import { isJson, type Json } from '#lib/json/json.ts';

/** A copy of a JSON object without what lies deeper than `levels`, and whether something was cut. */
export function limitDepth(value: Json, levels: number): { value: Json; cut: boolean } {
	if (!isDeeper(value, levels)) return { value, cut: false };
	const copy = (at: unknown, left: number): unknown => {
		if (typeof at !== 'object' || at === null) return at;
		if (left === 0) return '(cut: nested too deep)';
		if (Array.isArray(at)) return at.map((item) => copy(item, left - 1));
		return Object.fromEntries(Object.entries(at).map(([key, item]) => [key, copy(item, left - 1)]));
	};
	const limited = copy(value, levels);
	return { value: isJson(limited) ? limited : {}, cut: true };
}

/** Whether objects nest deeper than `levels`; never recurses further than that itself. */
function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	for (const item of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(item, levels - 1)) return true;
	return false;
}
