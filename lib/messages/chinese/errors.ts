export const errors = {
	'The request does not match the API; see /api/openapi.json.': '请求不符合接口；见 /api/openapi.json。',
	'The body is too large: at most 1 MiB is read.': '请求体过大：最多读取 1 MiB。',
	'Send the body in one piece, with its Content-Length.': '请一次性发送请求体，并带上 Content-Length。',
	'Send application/json.': '请发送 application/json。',
	'This route does not accept that method; see /api/openapi.json.': '此路由不接受该方法；见 /api/openapi.json。',
	'Sign in: run `signalbox open` for a fresh link, or send a bearer token.':
		'请登录：运行 `signalbox open` 获取新链接，或发送 bearer 令牌。',
	'This browser has lost half of its sign-in: its storage for this page was cleared. Run `signalbox open` for a fresh link.':
		'此浏览器丢失了登录信息的一半：它为此页面保存的数据已被清除。请运行 `signalbox open` 获取新链接。',
	'This token or session may not do that.': '此令牌或会话无权执行该操作。',
	'Requests from other origins are refused.': '拒绝来自其他来源的请求。',
	'This host name is not valid for signing in. Run `signalbox open` for a link.':
		'不能用此主机名登录。请运行 `signalbox open` 获取链接。',
	'This link was used already or has expired. Run `signalbox open` for a fresh one.':
		'此链接已被使用或已过期。请运行 `signalbox open` 获取新链接。',
	'Too many failed attempts. Wait a minute.': '失败次数过多。请等一分钟。',
	'This server has not made this link since it was started. If the call still waits, it is under Approvals.':
		'此链接不属于当前运行的服务器。若调用仍在等待，可在审批中找到。',
	'This link was used already: each opens once. If the call still waits, it is under Approvals.':
		'此链接已被使用：每个链接只能打开一次。若调用仍在等待，可在审批中找到。',
	'The call of this link no longer waits.': '此链接对应的调用已不再等待。',
	'This browser is not signed in, and there is no passkey to use instead.':
		'此浏览器未登录，也没有可以代替登录的通行密钥。',
	'A passkey is needed for this.': '此操作需要通行密钥。',
	'A passkey is enrolled, so only a browser with a passkey can decide; a token cannot.':
		'已有通行密钥，因此只有持有它的浏览器能做决定，令牌不能。',
	"That is not the code on the server's terminal. Ask for a fresh one.": '这不是服务器终端上的代码。请重新获取。',
	'The server runs without a terminal, and your agents could read the code anywhere else. Stop it, run `signalbox start` in a terminal, and ask again.':
		'服务器启动时没有终端，而它写到别处的内容你的智能体也能读到。请停止它，在你自己的终端里运行 `signalbox start`，然后重试。',
	'The passkey was not accepted for this. Try again.': '通行密钥未被接受。请重试。',
	'There is no such sign-in, token or passkey any more.': '该登录、令牌或通行密钥已不存在。',
	'That browser gets no notifications any more.': '该浏览器已不再接收通知。',
	'Twenty browsers get notifications already. Remove one of them first.': '已有二十个浏览器接收通知。请先移除一个。',
	'There is no such session.': '没有这个会话。',
	'The index is being built from the timelines and does not contain this session yet. Try again in a moment.':
		'正在根据时间线构建索引，尚未处理到此会话。请稍后重试。',
	'That file is no longer there.': '该文件已不存在。',
	'That file is too large to be shown.': '该文件过大，无法显示。',
	'That file is not what was recorded: somebody has changed it.': '该文件与记录不符：有人修改过它。',
	'There is no such page or route.': '没有这个页面或路由。',
	'There is no such approval.': '没有这个审批。',
	'Somebody has already decided this.': '已有人做出决定。',
	'Too late: the agent no longer waits for this decision.': '太迟了：智能体已不再等待此决定。',
	'This home only observes: nobody can let a call run from here. To allow it, remove approvals.observe from config.json.':
		'此主目录只观察：无法从这里放行调用。若要放行，请从 config.json 中移除 approvals.observe。',
	'The changed input is denied as well. Nothing was decided.': '修改后的输入同样被拒绝。未做任何决定。',
	'The state file of the supervisor cannot be written now. Try again.': '监督者的状态文件暂时无法写入。请重试。',
	'That cannot be the name of a feature.': '这不能作为功能的名称。',
	'There is no such project, or its folder is gone.': '没有这个项目，或其文件夹已不存在。',
	'There is no such feature.': '没有这个功能。',
	'There is already a feature of that name.': '已有同名功能。',
	'The state of the feature does not allow this.': '功能当前的状态不允许该操作。',
	'The folder of the features is not inside the project.': '功能文件夹不在项目内。',
	'The feature cannot be moved now. Try again.': '功能暂时无法移动。请重试。',
	'There is no such workflow.': '没有这个工作流。',
	'Another workflow runs in this session. Stop it first.': '此会话中正在运行另一个工作流。请先停止它。',
	'The feature cannot be opened for this workflow.': '无法为此工作流打开该功能。',
	'The state of the workflow does not allow this.': '工作流当前的状态不允许该操作。',
	'This session has ended. Start the workflow in one that runs.': '此会话已结束。请在运行中的会话里启动工作流。',
	'A kept timeline is damaged; `signalbox archive verify` names the place.':
		'留存的时间线已损坏；运行 `signalbox archive verify` 可找出位置。',
	'There is no such alarm any more: its cause has changed.': '该警报已不存在：所报的情况已改变。',
	'There is no such grant.': '没有这个授权。',
	'No denied call is recorded there.': '那里没有被拒绝的调用记录。',
	'No grant can override this denial: its gate cannot tell which later call would be the same question.':
		'授权无法放行此拒绝：其关卡无法判断之后哪次调用是同一个问题。',
	'The agent still waits for this call. Approve or deny it first.': '智能体仍在等待此调用。请先批准或拒绝。',
	'This grant is no longer active.': '此授权已失效。',
	'That assessment suggests no subtasks.': '该评估没有建议子任务。',
	'This session has no feature in progress whose tasks.md could take them. Copy the text instead.':
		'此会话没有进行中的功能，其 tasks.md 无法接收它们。请改为复制文本。',
	'The journal could not be written, so nothing was changed.': '账本无法写入，因此没有任何更改。',
	'This is not the token for telemetry of this home. Run `signalbox init --telemetry` to give the client the right one.':
		'这不是此主目录的遥测令牌。运行 `signalbox init --telemetry` 为客户端换上正确的令牌。',
	'The body is not an OTLP request for this path.': '请求体不是此路径的 OTLP 请求。',
	'Send OTLP as application/json or application/x-protobuf, plain or in gzip.':
		'请以 application/json 或 application/x-protobuf 发送 OTLP，不压缩或用 gzip。',
	'The body is too large: at most 4 MiB are read, 16 MiB once unpacked.': '请求体过大：最多读取 4 MiB，解压后 16 MiB。',
	'The body took too long to read: send fewer records at once.': '读取请求体用时过长：请每次少发一些记录。',
	'Too much telemetry comes in at once. Send it again in a moment.': '同时收到的遥测过多。请稍后再发。',
	'Something failed on our side; the log has the details.': '服务器出错；详情见日志。',

	// What the page says itself
	'The server does not answer. Nothing was changed.': '服务器没有响应。没有任何更改。',
	'The connection ended within the answer. The server has taken this; what stands is shown once it answers.':
		'连接在应答途中断开。服务器已收到；恢复响应后会显示当前状态。',
	'The server gave no answer within 30 s. It may have taken this; what stands is shown once it answers.':
		'服务器 30 秒内没有应答。它可能已收到；恢复响应后会显示当前状态。',
	'The server is of another version.': '服务器版本不同。',
	'The server gave no reason.': '服务器未说明原因。',
} as const;
