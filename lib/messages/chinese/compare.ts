export const compare = {
	'What it cost more': '多花了什么',
	'Compare two runs': '比较两次运行',
	'Compare with predecessor': '与前一次比较',
	'With the session before it, of the same project and workflow': '与同一项目、同一工作流的前一个会话比较',
	'Where they first went apart, what differs, and both stories side by side.':
		'两次运行最先在何处分开、有哪些不同，以及并排的经过。',
	'Choose the two runs above: archives of one feature, or any two sessions.':
		'请在上方选择两次运行：同一功能的归档，或任意两个会话。',
	'The two runs are being read': '正在读取两次运行',
	'No feature is archived twice yet. Any two archives or sessions can be compared; choose them above.':
		'还没有被归档两次的功能。任意两个归档或会话都可以比较，请在上方选择。',
	'Built more than once': '做过不止一次的功能',
	'First run': '第一次运行',
	'Second run': '第二次运行',
	'choose a run': '选择一次运行',
	Swap: '交换',
	'{time} of work': '工作 {time}',
	'{time} idle': '空闲 {time}',
	'{count} {count:event|events}': '{count} 个事件',
	'It is longer than what is compared: all of this is of its first part.':
		'它比可比较的范围更长：这里的内容只涉及它的前一部分。',

	// Where they went apart
	'No difference.': '没有不同。',
	'Both went the same way; what differs is in the table.': '两次运行走了同样的路；不同之处见下表。',
	'Where they went apart': '分开之处',
	'First divergence': '最先分开之处',
	'And after that': '此后',
	'not there': '没有',

	// Stages
	'Stages on one scale': '同一时间尺度上的阶段',
	'Time of work from the start: above the first run, below it the second. ≠ is where they first went apart.':
		'从开始算起的工作时间：上方是第一次运行，下方是第二次。≠ 表示最先分开之处。',
	'Both stories': '两次运行的经过',
	'Before the first stage': '第一个阶段之前',
	'archived {day}': '归档于 {day}',
	'began {time}': '开始于 {time}',
	'run {nth}': '第 {nth} 次',
	'From the first run to the second': '从第一次运行到第二次',
	'Hide what is equal': '隐藏相同项',
	'Show {count} that are equal': '显示 {count} 个相同项',
	'{count} {count:difference|differences}': '{count} 处不同',
	'did not run': '没有运行',
	'This run has none.': '这次运行没有此项。',
	'Done again:': '重做原因：',
	'Nothing more is recorded.': '没有更多记录。',
	'{count} more in the recording': '录制中另有 {count} 条',
	'not ended': '未结束',
	'goes on': '仍在进行',
	rejected: '被驳回',
	'no verdict': '无结论',

	// The table
	Differences: '不同之处',
	Kind: '类别',
	'What differs': '项目',
	Difference: '差异',
	'In all': '总计',
	'Time by stage': '各阶段时间',
	'Agents started': '启动的智能体',
	'Calls by tool': '各工具的调用',
	'Denials by rule': '各规则的拒绝',
	'Cost by model': '各模型的费用',
	'Lines by file': '各文件的行数',
	'Time of work': '工作时间',
	'Idle in between': '其间空闲',
	'Waited for people': '等待人的时间',
	'Runs of stages': '阶段运行次数',
	'Repeated runs': '重复运行',
	'Stages passed': '通过的阶段',
	'Stages failed': '失败的阶段',
	'Stages rejected': '被驳回的阶段',
	'Stages with issues': '有问题的阶段',
	'Stages without a verdict': '无结论的阶段',
	Calls: '调用',
	'Calls that failed': '失败的调用',
	'Refused stops': '被拒绝的停止',
	'Not as planned': '与计划不符',
	'Input tokens': '输入词元',
	'Output tokens': '输出词元',
	'Cache read tokens': '缓存读取词元',
	'Cache write tokens': '缓存写入词元',
	'Files touched': '改动的文件',
	'Lines added': '增加的行',
	'Lines removed': '删除的行',

	// Over time
	'With two or more archives of one workflow, time, retries, denials, cost and first passes are drawn here over time.':
		'同一工作流有两个或更多归档时，这里会画出时间、重试、拒绝、费用和首次通过率随时间的变化。',
	'As a table': '以表格显示',
	'Archived on': '归档时间',
	'A name compares its archive with the one above it.': '点击名称，可与上一行的归档比较。',
	'{figure}: first {first}, last {last}, most {most}': '{figure}：最早 {first}，最近 {last}，最高 {most}',

	// Where two runs went apart
	'Before the first stage#pass': '第一个阶段之前',
	'{name} (run {nth})#pass': '{name}（第 {nth} 次）',
	'not at all#times': '0 次',
	'once#times': '1 次',
	'twice#times': '2 次',
	'{count} times#times': '{count} 次',

	// How a stage’s run ended
	'{pass} {how} in the first run; it {instead} in the second.': '{pass} 在第一次运行中{how}；在第二次中{instead}。',
	'{pass} {how} in the second run; it {instead} in the first.': '{pass} 在第二次运行中{how}；在第一次中{instead}。',
	'passed#how': '通过',
	'ended without a word on how#how': '结束但未说明结果',
	'was never ended#how': '从未结束',
	'ended with issues#how': '有问题地结束',
	'ended without a verdict#how': '没有裁决就结束',
	'was rejected#how': '被驳回',
	'failed#how': '失败',
	'ended as “{word}”#how': '以“{word}”结束',

	// A run of a stage that only one side has
	'The first run has one more session than the second.': '第一次运行比第二次多一个会话。',
	'The second run has one more session than the first.': '第二次运行比第一次多一个会话。',
	'{pass} ran in the first run only.': '{pass} 只在第一次运行中出现。',
	'{pass} ran in the second run only.': '{pass} 只在第二次运行中出现。',
	'{pass} ran {again} in the first run; in the second it ran {often}.':
		'{pass} 在第一次运行中{again}；在第二次中运行了 {often}。',
	'{pass} ran {again} in the first run ({reason}); in the second it ran {often}.':
		'{pass} 在第一次运行中{again}（{reason}）；在第二次中运行了 {often}。',
	'{pass} ran {again} in the second run; in the first it ran {often}.':
		'{pass} 在第二次运行中{again}；在第一次中运行了 {often}。',
	'{pass} ran {again} in the second run ({reason}); in the first it ran {often}.':
		'{pass} 在第二次运行中{again}（{reason}）；在第一次中运行了 {often}。',
	'a second time#again': '运行了第 2 次',
	'a third time#again': '运行了第 3 次',
	'{count} times#again': '运行了 {count} 次',

	// What came where
	'In the first run {pass} came next, in the second {next}.': '接下来，第一次运行是 {pass}，第二次是 {next}。',
	'{pass}: {first} was started in the first run, {second} in the second.':
		'{pass}：第一次运行启动了 {first}，第二次启动了 {second}。',
	'Call {nth} was {first} in the first run and {second} in the second.':
		'第 {nth} 次调用在第一次运行中是 {first}，在第二次中是 {second}。',
	'The first run made no call; the second went on with {call}.': '第一次运行没有调用；第二次继续以 {call}。',
	'The first run made no call after {nth}; the second went on with {call}.':
		'第一次运行在第 {nth} 次之后没有调用；第二次继续以 {call}。',
	'The second run made no call; the first went on with {call}.': '第二次运行没有调用；第一次继续以 {call}。',
	'The second run made no call after {nth}; the first went on with {call}.':
		'第二次运行在第 {nth} 次之后没有调用；第一次继续以 {call}。',

	// Divergences that occur more often on one side
	'{pass}: {clause} in the first run only.': '{pass}：{clause}，仅在第一次运行中。',
	'{pass}: {clause} {often} in the first run, {seldom} in the second.':
		'{pass}：{clause}，第一次运行 {often}，第二次 {seldom}。',
	'{pass}: {clause} in the second run only.': '{pass}：{clause}，仅在第二次运行中。',
	'{pass}: {clause} {often} in the second run, {seldom} in the first.':
		'{pass}：{clause}，第二次运行 {often}，第一次 {seldom}。',
	'After {pass}: {clause} in the first run only.': '{pass} 之后：{clause}，仅在第一次运行中。',
	'After {pass}: {clause} {often} in the first run, {seldom} in the second.':
		'{pass} 之后：{clause}，第一次运行 {often}，第二次 {seldom}。',
	'After {pass}: {clause} in the second run only.': '{pass} 之后：{clause}，仅在第二次运行中。',
	'After {pass}: {clause} {often} in the second run, {seldom} in the first.':
		'{pass} 之后：{clause}，第二次运行 {often}，第一次 {seldom}。',
	'{what} was started#clause': '{what} 被启动',
	'{what} was denied ({rule})#clause': '{what} 被拒绝（{rule}）',
	'a stop was sent back ({rule})#clause': '停止被退回（{rule}）',
	'a person let {what} run (against {rule})#clause': '有人放行了 {what}（不顾 {rule}）',
	'the supervisor sent back ({what})#clause': '监督者退回了（{what}）',

	// The workflow and its end
	'The first run followed {how}, the second {instead}.': '第一次运行：{how}；第二次：{instead}。',
	'no workflow#how': '无工作流',
	'the workflow {name}#how': '工作流 {name}',
	'The first run {how}, the second {instead}.': '第一次运行{how}，第二次{instead}。',
	'was completed#how': '已完成',
	'was aborted#how': '已中止',
	'was not ended#how': '未结束',
} as const;
