/** One line of Markdown without the signs of emphasis, code, headings and lists. The full text is shown elsewhere. */
export function plainLine(text: string): string {
	return text
		.replace(/`{1,3}/g, '')
		.replace(/(\*\*|__)(?=\S)([^*_]{1,200}?)(?<=\S)\1/g, '$2')
		.replace(/(^|\s)#{1,6}\s/g, '$1')
		.replace(/^\s*[-*]\s/, '');
}
