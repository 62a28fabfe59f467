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

	// Judging again
	'Judge again': '重新判断',
	'Recorded calls are judged again with these settings. Nothing changes until you save them.':
		'用这些设置重新判断已记录的调用。保存之前不会改变任何东西。',
	'Deny or allow a command': '拒绝或允许某个命令',
	'Switch a rule on or off': '打开或关闭某条规则',
	'Try something else': '试试别的',
	'Or set your own': '或自行设置',
	'The settings tried': '试用的设置',
	'Adds {names} to the list.': '在列表中加入 {names}。',
	'Removes {names} from the list.': '从列表中移除 {names}。',
	'This is the list in force.': '这是生效的列表。',
	'No command is on the list now.': '列表中现无命令。',
	'{count} more {count:call|calls} would have been denied.': '会多拒绝 {count} 个调用。',
	'This would let {count} {count:call|calls} run that {count:was|were} denied.': '这会放行 {count} 个曾被拒绝的调用。',
	'Nothing would have been different.': '不会有任何不同。',
	'Newly denied': '新被拒绝',
	'No longer denied': '不再被拒绝',
	'it ran: somebody approved it': '已运行：有人批准',
	'Try {patterns}': '试一试 {patterns}',
	unchanged: '不变',
	'If a sub-agent is not in the plan': '子智能体不在计划中时',
	'the turn ends': '结束本轮',
	'Run on history': '用历史试验',
	'What would change': '会改变的裁决',
	'{judged} verdicts of {sessions} {sessions:session|sessions} judged again.':
		'重新判断了 {sessions} 个会话的 {judged} 个裁决。',
	'Still asking…': '仍在查询…',
	'it ran': '已运行',
	'it did not run': '未运行',
	'The first {count} are shown.': '只显示前 {count} 个。',
	'Save these settings…': '保存这些设置…',
	'Save these settings': '保存这些设置',
	'Into which file': '写入哪个文件',
	'the home’s config.json': '状态目录的 config.json',
	'Saved. It holds from the next call on.': '已保存，从下一次调用起生效。',
	'Try other settings on history': '用其他设置查询历史',

	// Questions about all sessions and archives
	'All overrides': '全部放行',
	Unanswered: '无人回应',
	'{count} {count:session|sessions} of the archive are still being read.': '仍在读取归档中的 {count} 个会话。',
	'What happened next': '后续',
	Then: '随后',
	'its agent called nothing more': '该智能体没有再调用',
	'stopped again at {time}:': '{time} 再次被拦下：',
	'has not ended': '尚未结束',
	' · in the archive': ' · 在归档中',

	// What a recording still holds
	'still to come': '尚未发生',

	// Notes
	Notes: '备注列表',
	'Add a note': '添加备注',
	Labels: '标签',
	Add: '添加',
	'Note on the row': '给这一行添加备注',
	'Note on the stage': '给阶段添加备注',
	'Notes on {time}': '{time} 的备注',
	'Notes on stage {stage}': '阶段 {stage} 的备注',
	'Nothing is noted here.': '这里没有备注。',
	'Shift and a click on another line notes both and what lies between.':
		'按住 Shift 点击另一行，可为两行及其间内容添加备注。',
	'Drag over the whole session to choose a stretch': '在整个会话上拖动以选择范围',
	label: '标签',

	// A file that is opened
	'choose it': '选择文件',
	'Open an exported archive: drop the file here, or': '打开导出的归档：把文件拖到这里，或',
	'The file is being read': '正在读取文件',
	'from a file; read only': '来自文件，只读',
	'Imported from a file: what people decided in it is as the file tells it. Its digests fit, which shows that the file is whole, not who wrote it; the journal that proves a decision is in the home that it came from. So decisions show as unverified.':
		'从文件导入：其中的人工决策以文件所述为准。摘要相符只说明文件完整，并不说明由谁写成；能证明决策的账本在其来源主目录中。因此这些决策显示为未经验证。',
	'The retention removed its recording on {day}; the documents stay.':
		'保留策略于 {day} 移除了它的录制；文档仍然保留。',
	'It is wrong at {place}.': '此处有误：{place}。',
	'What was read until then is shown.': '显示此前读到的内容。',
	'What was said is left out.': '对话内容已去除。',
	unverified: '未验证',
	'Show more': '显示更多',
	'‹ Rules': '‹ 规则',
} as const;
