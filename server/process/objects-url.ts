/** A bucket and where it is. */
export interface ObjectLocation {
	/** Undefined for AWS and its standard variables. */
	endpoint: string | undefined;
	bucket: string;
	/** Ends with a slash unless it is empty. */
	prefix: string;
}

/** Reads `https://HOST/BUCKET/PREFIX`, or `s3://BUCKET/PREFIX` at AWS; undefined if it names no bucket. */
export function readObjectsUrl(text: string): ObjectLocation | undefined {
	const [, endpoint, inPath, bucket = inPath, path = ''] =
		/^(?:(https?:\/\/[^/?#@]+)\/([^/?#]+)|s3:\/\/([^/?#@]+))(?:\/([^?#]*))?$/.exec(text) ?? [];
	if (bucket === undefined) return;
	const prefix = path.replace(/\/+$/, '');
	return { endpoint, bucket, prefix: prefix && `${prefix}/` };
}
