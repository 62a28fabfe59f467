/** What makes call the same thing in the input of a call that edits a file; the first that holds a text counts. */
export const editFields = {
	path: ['file_path', 'notebook_path', 'filePath', 'path'],
	text: ['content', 'contents', 'file_text', 'new_source'],
	from: ['old_string', 'oldString', 'old_str', 'oldText'],
	to: ['new_string', 'newString', 'new_str', 'newText'],
	/** A text in the `*** Begin Patch` form, where it is not the whole input. */
	patch: ['command', 'patchText', 'patch', 'input'],
} as const;
