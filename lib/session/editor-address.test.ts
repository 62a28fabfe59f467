import { expect, test } from 'vitest';
import { editorAddress } from './editor-address.ts';

test('a file of the project opens in the editor', () => {
	expect(editorAddress('/home/dev/shop/src/a b.ts', '/home/dev/shop')).toBe('vscode://file/home/dev/shop/src/a%20b.ts');
	expect(editorAddress('src/a.ts', '/home/dev/shop/')).toBe('vscode://file/home/dev/shop//src/a.ts');
});

test.each([
	'/etc/passwd',
	'/home/dev/shop/../x',
	'../x',
	'/home/dev/shop-2/x',
	'/home/dev/shop/a\u202eb',
	'/home/dev/shop/\n',
])('%j is no file that an agent may lead to', (path) => {
	expect(editorAddress(path, '/home/dev/shop')).toBeUndefined();
});
