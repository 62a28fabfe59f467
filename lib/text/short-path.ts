/** A path below the session's folder without that folder; other text as it is. Only for the eye: the detail shows all. */
export function shortPath(text: string, folder: string | null): string {
	if (!folder || !text.startsWith(folder)) return text;
	const rest = text.slice(folder.length);
	return rest.startsWith('/') && rest.length > 1 ? rest.slice(1) : text;
}
