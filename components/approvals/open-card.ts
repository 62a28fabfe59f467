/**
 * Brings a card to the top of what scrolls around it and puts the focus on it, so that no other card stands where the
 * pointer is. False where the card is not drawn.
 */
export function openCard(approvalId: string): boolean {
	const card = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(approvalId)}"]`);
	card?.scrollIntoView({ block: 'start' });
	card?.focus({ preventScroll: true });
	return card !== null;
}
