/**
 * The hub's database was not reached, or the connection broke during a query: the outcome is unknown, and the caller should
 * retry.
 */
export class DatabaseAway extends Error {
	constructor(cause: Error) {
		super(cause.message, { cause });
	}
}
