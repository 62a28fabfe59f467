export const hub = {
	'It says that this is its connection {count}, and it has made {total} before.':
		'它说这是第 {count} 次连接，而它此前已连接 {total} 次。',
	'Its journal is older than what it told before, or another one.': '它的账本早于它此前告知的内容，或是另一本。',
	'Its journal tells another history than before: {detail}.': '它的账本所述历史与此前不同：{detail}。',
	'{name} has approved it: {machine} has not answered yet.': '{name} 已批准：{machine} 尚未答复。',
	'{name} has denied it: {machine} has not answered yet.': '{name} 已拒绝：{machine} 尚未答复。',
	'{name} has answered it: {machine} has not answered yet.': '{name} 已回答：{machine} 尚未答复。',
	'{before} Nothing of yours was sent.': '{before}你的决定没有发出。',
	'It tells of more than {count} sessions.': '它报告的会话多于 {count} 个。',
	'It was the machine of a CI job, and nothing was heard of it for a day.':
		'它是一个 CI 任务的机器，已有一天没有消息。',
	'Two machines take turns as this one.': '两台机器轮流以它的身份连接。',
	'this machine has left the hub that it came from': '此机器已离开该授权所来自的中枢',
	'the hub has sent this machine away': '中枢已移除此机器',
	'the owner of this machine does not let the hub allow it any more': '此机器的所有者不再允许中枢授权它',
	'the owner of this machine wants a passkey for what the hub allows': '此机器的所有者要求中枢的授权有通行密钥',
	'who allowed it is not in the roster of the hub any more': '授权者已不在中枢的名册中',
	'The hub does not have this session.': '该中枢没有此会话。',
	'The hub does not keep this session any more.': '该中枢不再保留此会话。',
	'Of this session the hub does not have everything yet.': '该中枢尚未收齐此会话。',
} as const;
