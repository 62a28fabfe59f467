export const story = {
	// What is done now
	thinking: '思考中',

	// Why a session is silent
	'nothing is heard of it': '没有任何消息',

	'denied, but ran': '被拒绝，却已运行',
	'ran with another input than was judged': '运行时的输入与裁决时不同',
	'ran without being judged': '未经裁决就已运行',
	'allowed, but did not run': '已放行，却从未运行',
	silent: '长时间没有动静',

	// What became of a call

	// How a stage ended that did not pass
	'without a verdict': '没有裁决',

	// What the judges of a session say
	'{first}, {more}': '{first}，{more}',
	'{first}; {more}': '{first}，{more}',
	'{count} denied#judgement': '{count} 次被拒绝',
	'{count} approved#judgement': '{count} 次被批准',
	'{count} {count:alarm|alarms} seen': '{count} 条警报已知悉',
	'{count} {count:alarm|alarms} put off': '{count} 条警报已推迟',
	'review cut off': '审查中断',
	'review failed, allowed: {error}': '审查失败，已放行：{error}',
	'review failed, sent back: {error}': '审查失败，已退回：{error}',
	'review limit reached, allowed unreviewed': '已达审查上限，未经审查即放行',
	'review allowed by a person': '审查中由人放行',
	'allowed, review {nth} of {max}': '已放行，审查 {nth}/{max}',
	'sent back {nth} of {max}': '已退回 {nth}/{max}',
	'sent back {nth} of {max}: {feedback}': '已退回 {nth}/{max}：{feedback}',
	'{stage} passed': '{stage} 通过',
	'{stages} waits for you: {need}': '{stages} 等待你：{need}',
	'Workflow waits for you: {need}': '工作流等待你：{need}',
	'{agent} not in plan, {outcome}': '{agent} 不在计划内，{outcome}',
	'{agent} not in plan ×{count}, {outcome}': '{agent} 不在计划内 ×{count}，{outcome}',
	'{agent} not in plan, {outcome}; {others} more': '{agent} 不在计划内，{outcome}；另有 {others} 个',
	'{agent} not in plan ×{count}, {outcome}; {others} more': '{agent} 不在计划内 ×{count}，{outcome}；另有 {others} 个',
	'{stage} {ended}': '{stage} {ended}',
	'{stage} {ended}: {reason}': '{stage} {ended}：{reason}',
	'{stage} {ended} ×{count}': '{stage} {ended} ×{count}',
	'{stage} {ended} ×{count}: {reason}': '{stage} {ended} ×{count}：{reason}',
	'{alarm}: {cause}': '{alarm}：{cause}',
	'{alarm}: {cause}, {count} more': '{alarm}：{cause}，另有 {count} 条',

	// Why a stage waits for a person
	'{stage} ended with {result}': '{stage} 以“{result}”结束',
	'{stage} ended with {result}, number {count} in this workflow; a person must decide how to go on':
		'{stage} 以“{result}”结束，是此工作流中的第 {count} 次；须由人决定如何继续',

	// What a supervisor's row begins with
	'count reset to 0': '计数已归零',
	'on#switch': '开启',
	'off#switch': '关闭',

	// Our own parts of the titles of rows
	'no verdict was spoken': '没有说出裁决',
	'read from its words': '取自其言语',
	'iteration {count}': '第 {count} 轮',
	'{agent}, expected {agents}': '{agent}，预期 {agents}',
	'{nth} of {max}': '{nth}/{max}',
	'count {count}': '计数 {count}',
	'next: {task}': '下一个：{task}',
	'{count} subtasks': '{count} 个子任务',
	'for the next try': '用于下一次尝试',
	'for this session': '用于此会话',
	'for this project': '用于此项目',
	'until {time}': '至 {time}',
	'{done} of {total} done': '已完成 {done}/{total}',
	'{count} bytes at {nth}: {reason}': '位置 {nth} 处的 {count} 字节：{reason}',

	'the context was cleared': '上下文已清空',
	'the person signed out': '此人已退出登录',
	'the person left': '此人已离开',

	// Titles of chapters
	'{stage} begins': '{stage} 开始',
	'{stage}: {result}': '{stage}：{result}',
	'approved by an operator: {reason}': '由操作员批准：{reason}',
	'denied by an operator: {reason}': '由操作员拒绝：{reason}',
	'answered by an operator: {reason}': '由操作员回答：{reason}',
	'granted by an operator: {reason}': '由操作员授权：{reason}',
	'allowed by a grant: {reason}': '由授权放行：{reason}',
	'workflow paused': '工作流已暂停',
	'workflow resumed': '工作流已恢复',
} as const;
