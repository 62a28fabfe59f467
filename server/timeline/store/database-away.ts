/** The hub's database was not reached, or the connection broke during a query: the outcome is unknown; retry. */
export class DatabaseAway extends Error {
	constructor(cause: Error) {
		super(cause.message, { cause });
	}
}
