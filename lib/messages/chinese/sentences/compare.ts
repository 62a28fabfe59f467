export const compare = {
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
	'a stop was refused ({rule})#clause': '停止被驳回（{rule}）',
	'a person let {what} run (against {rule})#clause': '有人放行了 {what}（不顾 {rule}）',
	'the supervisor blocked ({what})#clause': '监督者阻止了（{what}）',

	// The workflow and its end
	'The first run followed {how}, the second {instead}.': '第一次运行：{how}；第二次：{instead}。',
	'no workflow#how': '无工作流',
	'the workflow {name}#how': '工作流 {name}',
	'The first run {how}, the second {instead}.': '第一次运行{how}，第二次{instead}。',
	'was completed#how': '已完成',
	'was aborted#how': '已中止',
	'was not ended#how': '未结束',
} as const;
