const MAX_WORDS = 64;

/**
 * The texts that brace expansion makes of a word's source text (`{a,b}c` gives `ac` and `bc`, `{1..3}` gives 1, 2, 3);
 * quotes and substitutions inside stay as they are. Undefined when there would be too many.
 */
export function expandBraces(source: string): string[] | undefined {
	const pending = [source];
	const done: string[] = [];
	while (pending.length > 0) {
		if (pending.length + done.length > MAX_WORDS) return undefined;
		const text = pending.shift() ?? '';
		const found = firstBrace(text);
		if (!found) done.push(text);
		else {
			const [before, after] = [text.slice(0, found.start), text.slice(found.end)];
			if (found.items.length > MAX_WORDS) return undefined;
			pending.unshift(...found.items.map((item) => before + item + after));
		}
	}
	return done;
}

interface Brace {
	start: number;
	end: number;
	items: string[];
}

function firstBrace(text: string): Brace | undefined {
	for (let at = 0; at < text.length; at = past(text, at)) {
		if (text[at] !== '{' || text[at - 1] === '$') continue;
		const brace = braceAt(text, at);
		if (brace) return brace;
	}
	return undefined;
}

function braceAt(text: string, start: number): Brace | undefined {
	const items: string[] = [];
	let depth = 0;
	let from = start + 1;
	for (let at = start; at < text.length; at = past(text, at)) {
		const char = text[at];
		if (char === '{') depth += 1;
		else if (char === ',' && depth === 1) {
			items.push(text.slice(from, at));
			from = at + 1;
		} else if (char === '}') {
			depth -= 1;
			if (depth > 0) continue;
			const last = text.slice(from, at);
			const whole = items.length > 0 ? [...items, last] : sequence(last);
			return whole && { start, end: at + 1, items: whole };
		}
	}
	return undefined;
}

/** The place after the character, quoted text or substitution that begins at `at`. */
function past(text: string, at: number): number {
	const char = text[at];
	if (char === '\\') return at + 2;
	if (char === "'" || char === '"' || char === '`') {
		const end = closing(text, at + 1, char);
		return end < 0 ? text.length : end + 1;
	}
	if (char === '$' && (text[at + 1] === '(' || text[at + 1] === '{')) return pastSubstitution(text, at + 1);
	return at + 1;
}

function closing(text: string, from: number, quote: string): number {
	if (quote === "'") return text.indexOf(quote, from);
	for (let at = from; at < text.length; at += text[at] === '\\' ? 2 : 1) if (text[at] === quote) return at;
	return -1;
}

function pastSubstitution(text: string, open: number): number {
	let depth = 0;
	for (let at = open; at < text.length; at += text[at] === '\\' ? 2 : 1) {
		const char = text[at];
		if (char === '(' || char === '{') depth += 1;
		else if (char === ')' || char === '}') {
			depth -= 1;
			if (depth === 0) return at + 1;
		}
	}
	return text.length;
}

function sequence(text: string): string[] | undefined {
	const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text);
	const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
	const [, first, last, by] = numbers ?? letters ?? [];
	if (first === undefined || last === undefined) return undefined;
	const [from, to] = numbers ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
	const step = (Math.abs(Number(by ?? 1)) || 1) * (from <= to ? 1 : -1);
	const count = Math.floor(Math.abs(to - from) / Math.abs(step)) + 1;
	return Array.from({ length: Math.min(count, MAX_WORDS + 1) }, (_, index) => {
		const value = from + index * step;
		return numbers ? String(value) : String.fromCharCode(value);
	});
}
