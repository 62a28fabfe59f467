/** Offers text as a download; `parts` are joined, so that a large file needs no copy. */
export function saveText(name: string, parts: readonly string[], type: string): void {
	const address = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
	const link = document.createElement('a');
	link.href = address;
	link.download = name;
	link.click();
	URL.revokeObjectURL(address);
}
