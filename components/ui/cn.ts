import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({
	extend: { classGroups: { 'font-size': [{ text: ['ui', 'small', 'mono', 'title'] }] } },
});

/** Class names, of which a later one beats an earlier one that sets the same property. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes));
