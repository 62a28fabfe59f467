import { expect, it } from 'vitest';
import { shortPath } from './printable.ts';

it.each([
	['/home/dev/shop/src/cart.ts', '/home/dev/shop', 'src/cart.ts'],
	['/home/dev/shopping/a.ts', '/home/dev/shop', '/home/dev/shopping/a.ts'],
	['/home/dev/shop', '/home/dev/shop', '/home/dev/shop'],
	['/home/dev/shop/', '/home/dev/shop', '/home/dev/shop/'],
	['npm test', null, 'npm test'],
])('a path is shown from the session folder: %s', (text, folder, shown) => {
	expect(shortPath(text, folder)).toBe(shown);
});
