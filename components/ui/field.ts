/** How a line to write in looks, and what is chosen from beside one. */
export const field = 'h-7 max-w-full rounded border border-edge bg-surface px-2 placeholder:text-muted';
