/** Codes of a disk that accepts no writes for now; too many open files have the same effect. */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'ENFILE', 'EMFILE']);

/** Whether something failed because the disk accepts no writes for now: the same write may succeed later. */
export function isDiskFault(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && 'code' in error && CODES.has(error.code);
}
