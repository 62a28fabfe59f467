import { expect, test, vi } from 'vitest';
import { remembered } from './remembered.ts';

test('each thing is asked once, also when its answer is that there is none', () => {
	const read = vi.fn((thing: { name?: string }) => thing.name);
	const nameOf = remembered(read);
	const [known, unknown] = [{ name: 'a' }, {}];
	expect([known, unknown, known, unknown].map(nameOf)).toEqual(['a', undefined, 'a', undefined]);
	expect(read).toHaveBeenCalledTimes(2);
});
