/** An answer is a few kilobytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * `fetch` for a model's server: a redirect is not followed, as it would carry what is asked to somebody whom the
 * settings do not name, and an answer without end ends at 4 MiB.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
	const { body, status, statusText, headers } = await fetch(input, { ...init, redirect: 'manual' });
	let left = MAX_ANSWER_BYTES;
	const limit = new TransformStream<Uint8Array, Uint8Array>({
		transform(chunk, controller) {
			left -= chunk.length;
			if (left < 0) controller.error(new Error('the answer is too long'));
			else controller.enqueue(chunk);
		},
	});
	return new Response(body?.pipeThrough(limit) ?? null, { status, statusText, headers });
};
