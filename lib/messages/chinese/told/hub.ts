/** Why a hub does not listen to a machine, and what waits for one. */
export const hub = {
	'It says that this is its connection {count}, and it has made {total} before.':
		'它说这是第 {count} 次连接，而它此前已连接 {total} 次。',
	'Its journal is older than what it told before, or another one.': '它的账本早于它此前告知的内容，或是另一本。',
	'Its journal tells another history than before: {detail}.': '它的账本所述历史与此前不同：{detail}。',
	'{name} has approved it: {machine} has not answered yet.': '{name} 已批准：{machine} 尚未答复。',
	'{name} has denied it: {machine} has not answered yet.': '{name} 已拒绝：{machine} 尚未答复。',
	'{name} has answered it: {machine} has not answered yet.': '{name} 已回答：{machine} 尚未答复。',
	'{before} Nothing of yours was sent.': '{before}你的决定没有发出。',
	'Two machines take turns as this one.': '两台机器轮流以它的身份连接。',
} as const;
