/** The address at which VS Code opens a file; undefined for one that may lead out of the folder, since agents name files. */
export function editorAddress(path: string, folder: string): string | undefined {
	const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
	const file = (isAbsolute ? path : `${folder}/${path}`).replaceAll('\\', '/');
	const parts = file.split('/');
	const isBelow = file.startsWith(`${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`);
	if (!isBelow || parts.includes('..') || parts.includes('.') || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(file)) return undefined;
	return `vscode://file${file.startsWith('/') ? '' : '/'}${parts.map(encodeURIComponent).join('/')}`;
}
