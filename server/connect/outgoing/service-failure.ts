/** Why somebody else's service did not take what it was sent. Its words never hold an address or a token: both can be secrets. */
export class ServiceFailure extends Error {
	/** Another try cannot succeed: the other side refuses what it was sent. */
	readonly isFinal: boolean;
	/** Milliseconds that the other side asks to wait. */
	readonly waitMs: number | undefined;
	/** What it answered over HTTP, if it did. */
	readonly status: number | undefined;
	/** What it said beside the status: somebody else's words, of any kind and cut. */
	readonly said: string | undefined;

	constructor(
		message: string,
		{ isFinal = false, waitMs, status, said }: Partial<Omit<ServiceFailure, keyof Error>> = {},
	) {
		super(message);
		this.isFinal = isFinal;
		this.waitMs = waitMs;
		this.status = status;
		this.said = said;
	}
}
