/** Learning from what was recorded: exports, judging again, notes, what is kept. */
export const learning = {
	// Exports
	Export: '导出',
	'Leave out what was said': '去除对话内容',
	'Calls as CSV': '调用 CSV',
	Summary: '摘要',
	Page: '网页',
	'What a redaction leaves out': '脱敏会去除的内容',
	'Left out: texts in {touched} of {events} events, {ids} ids, {leftOut} documents and files.':
		'去除：{events} 个事件中 {touched} 个的文本、{ids} 个标识、{leftOut} 个文档和文件。',
	'Nothing is left out: the file holds everything that was said. Treat it like the home.':
		'不去除任何内容：文件包含全部对话。请像对待状态目录一样保管它。',
	'{count} {count:text|texts}, {characters} characters': '{count} 段文本，{characters} 个字符',
} as const;
