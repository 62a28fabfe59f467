export const plain = {
	'Sign in': '登录',
	'Signing in ...': '正在登录…',
	'You are not signed in. Run {command} in a terminal of this machine{where}, and open the link that it prints.':
		'你尚未登录。请在本机的终端中{where}运行 {command}，并打开它打印的链接。',
	'This link was used already or is older than 15 minutes. If this browser is signed in, {open}; else run {command} for a fresh one.':
		'此链接已用过，或已超过 15 分钟。若此浏览器已登录，请{open}；否则运行 {command} 获取新链接。',
	'open Signalbox': '打开 Signalbox',
	'This browser has lost half of its sign-in: its storage for this page was cleared. Run {command} in a terminal of this machine{where}, and open the link that it prints.':
		'此浏览器丢失了登录信息的一半：它为此页保存的数据已被清除。请在本机的终端中{where}运行 {command}，并打开它打印的链接。',
	'This browser keeps nothing for this page, so it cannot stay signed in. Allow cookies and site data for this address, then run {command} for a fresh link.':
		'此浏览器不为此页保存数据，因此无法保持登录。请为此地址允许 Cookie 和网站数据，然后运行 {command} 获取新链接。',
	'The server could not keep this sign-in, so the link is still good. Its disk may be full: see what its terminal says, then open the link again.':
		'服务器无法保存此次登录，因此该链接仍然有效。磁盘可能已满：请查看服务器终端的提示，然后重新打开链接。',
	'Too many failed attempts. Wait a minute, then run {command} for a fresh link.':
		'失败次数过多。请等一分钟，然后运行 {command} 获取新链接。',
	'The server does not answer. Start it with {command}, then open its link.':
		'服务器没有回答。请用 {command} 启动它，然后打开它的链接。',
	'Signing in needs JavaScript: the link’s secret stays in the address and only a script can hand it over.':
		'登录需要 JavaScript：链接的密文留在地址中，只有脚本能交出它。',
	'Sign in with {name}': '使用 {name} 登录',
	'The sign-in was refused or took too long. Try again.': '登录不符，或耗时过长。请重试。',
	'The sign-in provider does not answer. Try again in a moment.': '登录服务没有回答。请稍后重试。',
	'The hub cannot reach its database. Try again in a moment; a link that was not used yet is still good.':
		'中枢暂时无法连接数据库。请稍后重试；尚未用过的链接仍然有效。',
	'Your account at this hub is disabled. Ask an admin.': '你在此中枢已被停用。请联系管理员。',
	'You have no role at this hub yet. Ask an admin.': '此中枢尚未给你任何角色。请联系管理员。',

	'Another address': '另一个地址',
	'Nobody signs in at this address. Run {command} in a terminal of this machine{where}, and open the link that it prints: it leads to an address that only you know. That one is good to be kept as a bookmark.':
		'此地址不能登录。请在本机的终端中{where}运行 {command}，并打开它打印的链接：它通向只有你知道的地址，适合存为书签。',

	'A call waits': '有调用在等待',
	'Use my passkey': '使用我的通行密钥',
	'Opening the call that waits ...': '正在打开等待中的调用…',
	'An agent waits for you. This browser is not signed in. With your passkey it may look, and decide this one call; approving asks for the passkey once more.':
		'有智能体在等你。此浏览器尚未登录。用你的通行密钥可以查看并决定这一个调用；批准时会再次要求通行密钥。',
	'The passkey was not accepted, and nothing was changed. The link is still good.':
		'通行密钥未被接受，没有任何更改。链接仍然有效。',
	'An agent waits for you, but this browser is not signed in. Run {command} in a terminal of the machine that runs Signalbox{where}; open the link that it prints in this browser, and come back here: the link is still good. With a {passkey} (Sign-in, top right, once you are signed in) later links need no sign-in.':
		'有智能体在等你，但此浏览器尚未登录。请在运行 Signalbox 的机器的终端中{where}运行 {command}，在此浏览器中打开它打印的链接，再回到这里：此链接仍然有效。有了{passkey}（登录后右上角的“登录方式”中），以后的链接无需登录。',
	'This browser keeps nothing for this page, so the passkey cannot sign it in. Allow cookies and site data for this address.':
		'此浏览器不为此页保存数据，因此无法用通行密钥登录。请为此地址允许 Cookie 和网站数据。',
	'This link was used already; each opens once. If the call still waits, it is under {approvals}.':
		'此链接已用过；每个链接只能打开一次。若调用仍在等待，它在{approvals}中。',
	'Too late: the call that this link was for no longer waits. What became of it is under {approvals}.':
		'太晚了：此链接对应的调用已不再等待。其结果见{approvals}。',
	'This link is not whole, or the server was started again since it was sent. What waits is under {approvals}.':
		'此链接不完整，或发出之后服务器已重新启动。等待中的事项见{approvals}。',
	'Too many wrong links. Wait a minute.': '错误链接过多。请等一分钟。',
	'The server does not answer. Is the tunnel to its machine open?': '服务器没有回答。通往其机器的隧道是否已打开？',
	'Opening a link needs JavaScript. Nothing was used; what waits is under {approvals}.':
		'打开链接需要 JavaScript。没有使用任何东西；等待中的事项见{approvals}。',
	'What it does': '作用',
	'If its hook fails': '钩子失败时',
	'the call runs': '调用照常运行',
	'with {clients} the call is denied (Claude Code: once its fail-closed entry is registered); with others it runs':
		'使用 {clients} 时拒绝调用（Claude Code 须已注册故障时拒绝的条目）；其他客户端照常运行',
} as const;
