export const health = {
	// The hooks’ socket
	'A rule of {project} was loosened while nobody prompted the agent. Was it you? If not, put {file} back':
		'没有人向智能体发出提示时，{project} 的一条规则被放宽。是你所为吗？若不是，请恢复 {file}',
	'the disk of {path} refuses lines ({why}): what hooks report waits in memory':
		'{path} 所在的磁盘无法写入（{why}）：钩子所报告的内容暂存于内存',
	'the disk of {path} refuses lines ({why}), and memory holds no more: events are lost':
		'{path} 所在的磁盘无法写入（{why}），内存也已满：事件正在丢失',
	'{lost} events of hooks are lost: the disk of {path} took no lines, and memory could not keep them':
		'已丢失 {lost} 个钩子事件：{path} 所在的磁盘无法写入，内存也未能保留',
	'make room on that disk; nothing else is to be done': '在该磁盘上腾出空间；无需其他操作',
	'the disk of {path} is nearly full': '{path} 所在的磁盘将满',
	'make room on that disk before what hooks report has to wait: it had {free} left':
		'在钩子所报告的内容不得不等待之前，在该磁盘上腾出空间：当时剩余 {free}',
	'A sub-agent was let start although its routing plan cannot be read. Look at the plan, and stop the session if it is not what you want':
		'路由计划无法读取，但仍有一个子智能体获准启动。请查看该计划，若非所愿则停止会话',
	'A sub-agent was let start in {project} although its routing plan cannot be read. Look at the plan, and stop the session if it is not what you want':
		'{project} 的路由计划无法读取，但仍有一个子智能体获准启动。请查看该计划，若非所愿则停止会话',
	'the thread that answers hooks died ({message}) and was restarted. {end}':
		'应答钩子的线程已终止（{message}），并已重新启动。{end}',
	'{clause}, and was put back. {end}': '{clause}，已放回。{end}',
	'{clause}. {end}': '{clause}。{end}',
	'{clause}, and so was the lock of this home, so another server may be at work here. {end}':
		'{clause}，此主目录的锁也是如此，因此可能有另一个服务器在此工作。{end}',
	'the hooks’ socket was removed': '钩子的套接字被移除',
	'another program put its own socket in the place of the hooks’ socket':
		'另一个程序用自己的套接字占据了钩子套接字的位置',
	'something that is no socket stands in the place of the hooks’ socket': '钩子套接字的位置上是别的东西，而非套接字',
	'Hooks that came meanwhile were not answered by this server: entries that fail open may have let calls run.':
		'其间到来的钩子没有得到此服务器的回答：失败时放行的条目可能已让调用运行。',
	'move {path} away': '移走 {path}',
	'stop this server, and start the right one again': '停止此服务器，重新启动正确的那个',
	'{path} was opened to other users of this machine (mode {mode}), and was closed again':
		'{path} 曾对本机其他用户开放（模式 {mode}），已重新关闭',

	// The hook’s files
	'{path} was removed: hooks that fail open do nothing now': '{path} 被移除：失败时放行的钩子现在不起作用',
	'{path} was removed: the hook starts any node that stands first in PATH':
		'{path} 被移除：钩子将启动 PATH 中最先找到的 node',
	'{path} was changed: nobody knows what it says now': '{path} 被修改：现在无人知道其内容',
	'run {command} for a project of yours, if you did not change it yourself':
		'若不是你自己改的，请为你的一个项目运行 {command}',

	// The index and the journal
	'The index was damaged ({reason}) and is rebuilt from the timelines. Until that is done, sessions are missing from the pages; hooks are judged as ever':
		'索引已损坏（{reason}），正在根据时间线重建。完成之前页面上会缺少会话；钩子照常裁决',
	'A sign-in link was made. If it was not you, look at the access page':
		'创建了一个登录链接。若不是你所为，请查看访问权限页',
	'An operator’s token was made. If it was not you, look at the access page':
		'创建了一个操作员令牌。若不是你所为，请查看访问权限页',
	'A passkey was enrolled. If it was not you, look at the access page':
		'登记了一个通行密钥。若不是你所为，请查看访问权限页',
	'A passkey was taken away. If it was not you, look at the access page':
		'移除了一个通行密钥。若不是你所为，请查看访问权限页',
	'The journal is not where it was: {why}. Nothing can be decided, and denials stand':
		'账本已不在原处：{why}。无法做任何决定，拒绝仍然有效',
	'The journal cannot be read: {why}. Nothing can be decided, and denials stand':
		'无法读取账本：{why}。无法做任何决定，拒绝仍然有效',
	'The journal is not what was written: row {nth}, {why}': '账本与所写的不符：第 {nth} 行，{why}',
	'row {nth} is missing': '缺少第 {nth} 行',
	'rows {nth} to {max} are missing': '缺少第 {nth} 至 {max} 行',
	'it was replaced by another row': '它被另一行取代',
	'put the files back that were there, or stop the server and start it with those that shall count':
		'放回原来的文件，或停止服务器并以应当作数的文件启动它',
	'stop the server and start it again: it goes on in a new book, with the rows that are proven intact':
		'停止服务器并重新启动：它会在新的账本中继续，保留经证实完好的行',
	'find out what happened to the disk, or who did it; sign in again where needed. It is shown for a day':
		'请查明磁盘发生了什么或是谁所为；必要时重新登录。此提示保留一天',
	'run {command}': '运行 {command}',
	', in the folder of Signalbox': '于 Signalbox 的文件夹里',
	", with this server's OVERTONE_HOME": '以此服务器的 OVERTONE_HOME ',
	", in the folder of Signalbox, with this server's OVERTONE_HOME":
		'于 Signalbox 的文件夹里、以此服务器的 OVERTONE_HOME ',

	// Settings that hold back less
	'{path} was not as the hub’s policy is kept, and was put back': '{path} 与中枢策略的保存内容不符，已恢复',
	'{path} was changed: {less}': '{path} 被修改：{less}',
	'commands.exclude no longer names {patterns}': 'commands.exclude 不再包含 {patterns}',
	'{setting} is no longer on': '{setting} 不再开启',
	'{setting} is off': '{setting} 已关闭',
	'commands.unknown no longer asks': 'commands.unknown 不再询问',
	'commands.enforce no longer runs lines in the sandbox': 'commands.enforce 不再在沙箱中运行命令行',
	'commands.withoutSandbox no longer refuses': 'commands.withoutSandbox 不再拒绝',
	'put it back, if you did not change it yourself': '若不是你自己改的，请恢复它',
	'{path}: {check}: {why}': '{path}：{check}：{why}',
	'{path}: its settings cannot be looked at ({reason})': '{path}：无法查看其设置（{reason}）',

	// Calls, agents and plans
	'Another input of {tool} ran than was judged ({call}). Unless somebody changed it in the client’s own dialog, a hook of somebody else did: `signalbox doctor` names them':
		'{tool} 运行时的输入与裁决时不同（{call}）。除非有人在客户端自己的对话框中改了它，否则是别人的钩子所为：`signalbox doctor` 会列出它们',
	'Another input of {tool} ran in {project} than was judged ({call}). Unless somebody changed it in the client’s own dialog, a hook of somebody else did: `signalbox doctor` names them':
		'{tool} 在 {project} 中运行时的输入与裁决时不同（{call}）。除非有人在客户端自己的对话框中改了它，否则是别人的钩子所为：`signalbox doctor` 会列出它们',
	'The sub-agent {name} appeared, and no call that was let through had asked for it. Look at what it does, and stop the session if it is not what you want':
		'出现了子智能体 {name}，而没有任何获准的调用请求过它。请看它在做什么，若非所愿则停止会话',
	'The sub-agent {name} appeared in {project}, and no call that was let through had asked for it. Look at what it does, and stop the session if it is not what you want':
		'{project} 中出现了子智能体 {name}，而没有任何获准的调用请求过它。请看它在做什么，若非所愿则停止会话',
	'The routing plan {plan} {how}: {why}. If it was not you, put it back':
		'路由计划 {plan} {how}：{why}。若不是你所为，请恢复它',
	'The routing plan {plan} in {project} {how}: {why}. If it was not you, put it back':
		'{project} 中的路由计划 {plan} {how}：{why}。若不是你所为，请恢复它',
	'expects {agents} now#how': '现在预期 {agents}',
	'was replaced or ended#how': '被替换或已结束',
	'a call of the agent itself changed it': '智能体自己的调用改了它',
	'which had just been denied, and nobody has prompted the agent since': '这刚被拒绝过，此后无人向智能体发过提示',

	// The doctor: the client’s settings
	'settings files': '设置文件',
	'correct the file; until then none of its hooks run, and the client does not say so':
		'请改正此文件；在此之前其中的钩子都不运行，客户端也不会说明',
	'hooks enabled': '钩子已启用',
	'disableAllHooks is set in {path}': '{path} 中设置了 disableAllHooks',
	'remove it there': '在那里移除它',
	'hooks registered': '钩子已注册',
	'none in this project': '此项目中没有',
	'none of Claude Code in this project, only of {agents}': '此项目中没有 Claude Code 的，只有 {agents} 的',
	'none here, only in {path}: a client that is started here does not read those':
		'此处没有，只在 {path} 中有：在此启动的客户端不会读取那些',
	'start the client there, or run {command} for this folder': '在那里启动客户端，或为此文件夹运行 {command}',
	'{count} of {total}; missing: {events}': '{count}/{total}；缺少：{events}',
	'{count} of {total} are of another version or were edited': '{count}/{total} 为其他版本或被修改过',
	timeouts: '超时',
	'none on {events}: no call can wait there': '{events} 上没有：那里无法等待人决定',
	'registered twice': '重复注册',
	'registered elsewhere': '在别处注册',
	'the Signalbox plugin is enabled in {path}': '{path} 中启用了 Signalbox 插件',
	'the same hooks are registered in {path}': '{path} 中注册了相同的钩子',
	'run {command}, or remove it there': '运行 {command}，或在那里移除它',
	'hooks of others': '他人的钩子',
	'another hook may change inputs after they were judged: {name} ({event} in {path})':
		'另一个钩子可能在裁决之后更改输入：{name}（{path} 中的 {event}）',
	'remove it there, unless you trust it and all who can change what it runs':
		'请在那里移除它，除非你信任它以及能写入它所运行内容的人',
	'environment of hooks': '钩子的环境',
	'{setting} = {value} in {path}: hooks run with it, and may find another home or program, or none':
		'{path} 中有 {setting} = {value}：钩子以此运行，可能找到别的主目录或程序，或什么也找不到',
	'remove {setting} there, if you did not set it yourself': '若不是你自己设置的，请在那里移除 {setting}',

	// The doctor: entries, plugin and plan
	'hook and its timeout': '钩子及其超时',
	'timeout too short on {events}: the client kills the hook while it waits, and the call runs':
		'{events} 上的钩子慢于其超时：客户端会在等待时终止它，调用照样运行',
	'{events}: shorter than approvals.holdSeconds + {max} = {total} s, so a call waits for less than that':
		'{events}：短于 approvals.holdSeconds + {max} = {total} 秒，因此调用等待的时间更短',
	'fail-closed entry': '失败时拒绝的条目',
	'commands are excluded, but the entry is missing: a command runs when the hook fails':
		'有命令被排除，但此处没有这样的条目：钩子失败时命令会运行',
	'the entry in {path} is not as this version writes it: calls may run unjudged':
		'{path} 中的条目不是此版本所写：它可能把沉默当作通过',
	'onFailure is missing in {path}: the call runs when the hook crashes or times out':
		'{path} 中缺少 onFailure：钩子崩溃或超时时调用会运行',
	reviewer: '审查程序',
	'supervisor hooks are set up, but {program} is not found: every review fails and denies':
		'此处有监督者条目，但找不到 {program}：每次审查都会失败并拒绝',
	'add claude to PATH or set CCC_CLAUDE; {command} ends reviews':
		'请把 claude 放入 PATH 或在 CCC_CLAUDE 中指明；{command} 可结束审查',
	'profile of a hook': '钩子的配置',
	'reach of a hook': '钩子的范围',
	'the client does not run the hook on {events} for every call, or does not wait for it':
		'客户端并非对每次调用都询问 {events} 的钩子，或不等待其答复',
	'{names} on {events} is not a profile: it counts as closed, which denies unjudged calls':
		'{events} 上的 {names} 不是配置：它按关闭处理，拒绝无人能裁决的调用',
	plugin: '插件',
	'{path} is of another version or was edited: {end}': '{path} 为其他版本或被修改过：{end}',
	'{count} missing or different': '{count} 个缺失或不同',
	'{count} unexpected': '{count} 个多余',
	'run {command}, then restart the sessions': '运行 {command}，然后重新启动会话',
	'cannot be read, so sub-agents are not judged by it: {reason}': '无法读取，因此不据此裁决子智能体：{reason}',
	'correct or remove {path}': '请修正或移除 {path}',
	'correct {path} or config.json of the home': '请修正 {path} 或状态目录中的 config.json',
	settings: '设置',
} as const;
