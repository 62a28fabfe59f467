import type { Language } from '../messages/language.ts';

const UNITS = ['B', 'kB', 'MB', 'GB'] as const;

/** In powers of 1000: `1.2 MB`. */
export function byteSize(bytes: number, language: Language = 'en'): string {
	const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
	const value = bytes / 1000 ** power;
	const digits = { maximumFractionDigits: power > 0 && value < 10 ? 1 : 0 };
	return `${new Intl.NumberFormat(language, digits).format(value)} ${UNITS[power]}`;
}

/** English only, for terminals: `1 row`, `2 rows`. */
export function countOf(count: number, word: string): string {
	return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
