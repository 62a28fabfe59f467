/** `shop/checkout`; the session's id where nothing better is known. */
export function placeOf(project: string | undefined, branch: string | undefined, sessionId: string): string {
	if (!project) return sessionId;
	return branch ? `${project}/${branch}` : project;
}
