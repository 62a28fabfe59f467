/** `shop/checkout`; the session's id where nothing better is known. On a hub with its machine: `shop/checkout · laptop`. */
export function placeOf(
	project: string | undefined,
	branch: string | undefined,
	sessionId: string,
	machine?: { name: string },
): string {
	const place = project ? [project, branch].filter(Boolean).join('/') : sessionId;
	return machine ? `${place} · ${machine.name}` : place;
}
