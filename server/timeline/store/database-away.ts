/** The hub's database was not reached, or ended in the middle: nothing is known of what was asked, and asking again is right. */
export class DatabaseAway extends Error {
	constructor(cause: Error) {
		super(cause.message, { cause });
	}
}
