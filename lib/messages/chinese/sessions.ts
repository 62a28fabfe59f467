export const sessions = {
	// The list
	'Sessions are loading': '正在加载会话',
	'Find sessions': '查找会话',
	'project, branch, prompt, status…': '项目、分支、提示、状态…',
	'No session has {words} in its project, branch, prompt, workflow, status or id.':
		'没有会话的项目、分支、提示、工作流、状态或编号包含 {words}。',
	'No session is of this client.': '没有属于此客户端的会话。',
	Client: '客户端',
	'The newest {shown} of {all} are shown.': '显示最新的 {shown} 项，共 {all} 项。',
	'Show {count} more': '再显示 {count} 项',
	Running: '运行中',
	Waiting: '等待中',
	'no task yet': '尚无任务',
	Idle: '空闲',
	Lost: '失联',
	'Ended today': '今天结束',
	Older: '更早',
	'Events a minute, last {minutes} minutes: {top} at most': '最近 {minutes} 分钟的每分钟事件数：最多 {top}',
	Stages: '阶段',
	', workflow paused': '，工作流已暂停',
	'to come': '未开始',
	'done with issues': '完成，有问题',
	current: '进行中',
	done: '已完成',
	failed: '失败',
	'Needs you': '需要你处理',
	'{count} more wait: open Approvals': '另有 {count} 项等待：打开审批',
	'{count} more {count:session has|sessions have} stopped.': '另有 {count} 个会话已停下。',
	'Asked you': '问过你',
	'moved: press again': '位置已变，请再按一次',
	'The workflow': '工作流',
	'waits for you: {why}': '等待你：{why}',
	'asks in its own terminal: answer it there': '正在它自己的终端里询问：请到那里回答',
	'{count} {count:call|calls} denied, and no one was asked': '{count} 次调用被拒绝，且没有人被询问',
	began: '始于',
	'{count} {count:call|calls} in {time}': '{time} 内 {count} 次调用',
	'Signalbox shows what your coding agents do, and asks you before they do what your rules deny.':
		'Signalbox 显示你的编码智能体在做什么，并在它们做规则所拒绝的事之前询问你。',
	Judgement: '评判',

	// Alarms
	Alarms: '警报',
	'Show all {all} alarms': '显示全部 {all} 条警报',
	Acknowledge: '知悉',
	'Later{more}': '稍后{more}',
	': tell me again in an hour': '：一小时后再提醒我',

	// Before the first session
	'No sessions yet': '还没有会话',
	'Register the hooks in the folder of a project, then start your agent there.':
		'在某个项目的文件夹里注册钩子，然后在那里启动你的智能体。',
	'No agent at hand? The demo plays recorded sessions.': '手边没有智能体？演示会播放录制的会话。',
	'This server reads the home {home}. Hooks that run with another {variable} write elsewhere.':
		'此服务器读取主目录 {home}。以其他 {variable} 运行的钩子会写到别处。',
	'Watch an agent': '观察智能体',
	'{project} is registered; restart your agent there': '{project} 已注册；请在那里重新启动智能体',
	'{count} projects are registered; restart your agent in one of them':
		'已注册 {count} 个项目；请在其中一个里重新启动智能体',
	'Judge its calls': '裁决其调用',
	'{count} {count:rule is|rules are} on': '{count} 条规则已启用',
	'Choose rules': '选择规则',
	'Rules say which calls are denied, and which of those wait for you.': '规则决定哪些调用被拒绝，其中哪些等待你处理。',
	'Be notified': '接收通知',
	'{count} {count:channel|channels}': '{count} 个渠道',
	'only while a page is open': '仅在页面打开时',
	'Set up notifications': '设置通知',
	'A call that waits for you can reach your phone or a chat.': '等待你的调用可以发到你的手机或聊天中。',
	'Waiting for the first event…': '正在等待第一个事件…',
	'Not connected to the server.': '未连接到服务器。',

	// Saved views
	'Saved views': '已存视图',
	'Remove the view {name}': '删除视图 {name}',
	'Save this view': '保存此视图',
	'Name of the view': '视图名称',
	Save: '保存',
	'This browser keeps nothing for pages, so the view is gone with the page.':
		'此浏览器不为页面保存数据，视图会随页面关闭而消失。',

	// The fleet
	Fleet: '总览',
	'No session did anything in this time.': '这段时间内没有会话活动。',
	'What each session did; left and right go from moment to moment, Enter opens the session there':
		'每个会话做了什么；左右键在时刻之间移动，回车键在该处打开会话',
	'{more} more {more:session has|sessions have} no lane here': '另有 {more} 个会话未在此显示',
	now: '现在',
	'What the lanes show': '图例',
	'{count} {count:mark|marks}': '{count} 个标记',
	working: '工作中',
	'waits for you': '等待你',
	'being reviewed': '审查中',
	idle: '空闲',
	denied: '被拒绝',
	'not in the plan': '不在计划内',
	'decided by a person': '由人决定',
	'not there': '不在',

	// The palette
	Actions: '操作',
	Recent: '最近使用',
	'Search in all sessions': '搜索所有会话',
	'Copy a link to this page': '复制此页链接',
	'Show keyboard shortcuts': '显示键盘快捷键',
	archived: '已归档',
	'page, session, feature, or words that were said…': '页面、会话、功能，或说过的话…',
	Found: '结果',
	'Looking through all sessions…': '正在搜索所有会话…',
	'Nothing is called or says that.': '没有找到匹配的名称或内容。',
	'{count} {count:row|rows} found': '找到 {count} 行',
	'Found in {place}': '出现在 {place}',
	'All places where it was said': '查看所有出现之处',
	'Mentioned in sessions': '会话中提到',

	// The search
	'words of a prompt, command, path, message, reason or verdict': '提示、命令、路径、消息、理由或裁决中的词',
	'Nobody has said that. Each word must stand in one row, anywhere within words; "quotes" keep words together. Outputs and file contents are not searched.':
		'没有人说过这些。每个词都须出现在同一行，可以是词的一部分；用 "引号" 可让词连在一起。不搜索输出和文件内容。',
	'Sessions are still being read ({read} of {total}): not everything is found yet.':
		'仍在读取会话（{read}/{total}）：结果尚不完整。',
	'Look further back': '继续往前找',
	'Nothing among the newest events.': '最新的事件中没有。',
	'{rows} {rows:row|rows} in {sessions} {sessions:session|sessions}': '{sessions} 个会话中的 {rows} 行',
	'{rows} {rows:row|rows} in {sessions} {sessions:session|sessions}, and perhaps more':
		'{sessions} 个会话中的 {rows} 行，可能还有更多',
} as const;
