import { expect, test } from 'vitest';
import { blobRefsIn, isBlobRef, withBlobs } from './blob-refs.ts';

const ref = { blob: 'a'.repeat(64), bytes: 70_000, preview: 'The beginn' };

test('a reference is found where a hook puts one, and nowhere else', () => {
	expect(blobRefsIn(ref)).toEqual([ref]);
	expect(blobRefsIn({ prompt: ref, description: 'x' })).toEqual([ref]);
	expect(blobRefsIn({ deep: { prompt: ref } })).toEqual([]);
	expect(blobRefsIn([ref])).toEqual([]);
	expect([null, 'x', { ...ref, blob: '../x' }, { ...ref, more: 1 }].some(isBlobRef)).toBe(false);
});

test('until its text is here a reference reads as its beginning', () => {
	const value = { prompt: ref, description: 'x' };
	expect(withBlobs(value, new Map())).toEqual({ prompt: 'The beginn', description: 'x' });
	expect(withBlobs(value, new Map([[ref.blob, 'whole']]))).toEqual({ prompt: 'whole', description: 'x' });
	expect(withBlobs(ref, new Map([[ref.blob, 'whole']]))).toBe('whole');
	expect(withBlobs('plain', new Map())).toBe('plain');
});
