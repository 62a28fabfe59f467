import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({
	extend: { classGroups: { 'font-size': [{ text: ['ui', 'small', 'mono', 'title', 'page'] }] } },
});

/** Joins class names; of conflicting Tailwind classes the last one wins. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes));
