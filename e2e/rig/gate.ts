/** Something that a test decides the moment of. */
export interface Gate {
	opened: Promise<void>;
	open(): void;
}

/** A gate that is closed. */
export function gate(): Gate {
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { opened, open };
}
