/** `1 prompt`, `3 prompts`; for English words that take an s. */
export function countOf(count: number, word: string): string {
	return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
