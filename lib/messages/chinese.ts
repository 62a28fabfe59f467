import { frame } from './chinese/frame.ts';

/**
 * All that the pages say, by its English words, in Simplified Chinese. The words of each room stand in a file of their own;
 * which Chinese word a term of ours has is in docs/glossary.md.
 */
export const chinese = { ...frame } as const;
