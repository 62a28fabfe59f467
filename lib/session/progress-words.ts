/** `4/8` of a loop's event as a page says it: `4 of 8`. What is no such figure stays as it came. */
export function progressWords(progress: string | undefined): string | undefined {
	return progress?.replace(/^(\d+)\/(\d+)$/, '$1 of $2');
}
