/** A path without `//`, `/./` and `/x/..`. Links are not followed. */
function normalisedPath(path: string): string {
	const parts: string[] = [];
	for (const part of path.split('/')) {
		if (part === '' || part === '.') continue;
		if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
		else if (part !== '..' || !path.startsWith('/')) parts.push(part);
	}
	return (path.startsWith('/') ? '/' : '') + parts.join('/');
}

/** Last parts of readable paths below `/dev` and `/proc`; a relative path may start from any folder. */
const DEVICE_NAME = /(?:^|\/)(?:\d+|stdin|std\w+|tty\w*|fd)$/;

/** Whether a path may be that of an input rather than of a file. */
export function namesDevice(path: string): boolean {
	const normal = normalisedPath(path);
	return normal !== '/dev/null' && (/^\/(?:dev|proc)\//.test(normal) || DEVICE_NAME.test(normal));
}

/** Whether a path is that of a program's own input. */
export function namesInput(path: string): boolean {
	return ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(normalisedPath(path));
}
