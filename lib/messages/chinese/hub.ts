export const hub = {
	'This is done at the machine itself, not at its hub.': '请在该机器上操作，而不是在其中枢。',
	'Revoke {name}': '撤销 {name}',
	'Your passkeys': '你的通行密钥',
	'You confirm with one when you let somebody in, give a role, or sign in as an admin.':
		'让人进入、授予角色或以管理员身份登录时，用它来确认。',
	'The first passkey needs a sign-in of the last ten minutes. Sign out, sign in again, and retry.':
		'首个通行密钥需要十分钟之内的登录。请退出并重新登录，然后继续。',
	'There is no such person in a team of which you are an admin.': '你所管理的团队中没有此人。',
	'The owner of the hub cannot be changed here.': '拥有中枢所在机器的人始终是其所有者。',
	'There is no such role or team any more.': '该角色或团队已不存在。',
	'The hub cannot reach its database. Try again in a moment.': '中枢暂时无法连接数据库。请稍后重试。',
	'The archive of this session cannot be read now. Try again; `signalbox hub doctor` says what is wrong.':
		'现在无法读取此会话的归档。请重试；`signalbox hub doctor` 会说明问题所在。',
	'archived {at}, not live': '已于 {at} 归档，非实时',
	'This page is at the machine itself': '此页面在各机器上',
	'Settings, health and comparing belong to each machine: open its own Signalbox there.':
		'设置、健康和比较属于各机器：请在那里打开其 Signalbox。',
	'is decided at {machine}': '由 {machine} 决定',
	'It is decided at {machine}: its owner lets nobody decide from this hub.':
		'由 {machine} 决定：其所有者不允许从此中枢作出决定。',
	'No machine of this hub has sent a session {id} that your roles reach.':
		'此中枢没有任何机器发送过你的角色可见的会话 {id}。',
	'this hub only watches: decisions are made at the machines themselves': '此中枢只供查看：决策在各机器上作出',
	'Sessions of the machines that have joined appear here, and those that they had before.':
		'已加入的机器的会话会出现在这里，包括以前的会话。',
	'An admin of a team adds its machines.': '由团队的管理员添加机器。',
	'{name} at the hub': '中枢的 {name}',
	'{decided}: {machine} has told the agent.': '{decided}：{machine} 已告知智能体。',
	'It holds at {machine} alone, and ends with its membership.': '只在 {machine} 上有效，并随其成员身份结束。',
	'Allowed from the hub': '由中枢授权',
	'at {machine} ({team})': '在 {machine}（{team}）',
	'{machine} is asked…': '正在询问 {machine}…',
	'{tier}: {machine} ({team}) {what}': '{tier}：{machine}（{team}）{what}',
	'is decided at the machine alone': '只在该机器上决定',
	'believes this hub, without a passkey': '信任此中枢，无需通行密钥',
	'checks your passkey itself': '自行核对你的通行密钥',
	'This machine does not let its hub decide. Decide at the machine itself.':
		'此机器不允许从中枢作出决定：请在该机器上决定。',
	'Somebody has already decided this, and the machine has not answered yet. Your decision was not sent.':
		'已有人作出决定，而该机器尚未答复。你的决定没有发出。',
	'The machine has not answered yet. The result appears here as soon as it arrives.':
		'该机器尚未答复。一旦答复，结果会显示在这里。',
	'This machine was revoked for good. Run `signalbox leave` on it, then join again with a new code.':
		'此机器已被永久移除。请在其上运行 `signalbox leave`，再用新代码重新加入。',
	'This hub has no root passkey yet: `signalbox hub root` on its own machine chooses one.':
		'此中枢还没有根通行密钥：请在中枢自己的机器上用 `signalbox hub root` 选定一个。',
	'The machine did not accept the passkey’s answer for this call. Nothing was decided; try again.':
		'该机器不接受通行密钥对此调用的应答。没有作出任何决定；请重试。',
	'The machine requires a passkey’s answer for this, and none was sent. Nothing was decided.':
		'该机器要求通行密钥的应答，但没有收到。没有作出任何决定。',
	'The machine does not know who may decide: it received no roster from its hub in the last 24 hours. Nothing was decided.':
		'该机器不知道谁可以决定：中枢在过去 24 小时内没有告诉它。没有作出任何决定。',
	'No passkey of yours is in the roster of that machine. An admin with a root passkey can sign it on the page People.':
		'你的通行密钥都不在那里的决定人名册中。持有根通行密钥的管理员可在“人员”页面签署。',
	'The roster of that machine does not let you decide there. An admin with a root passkey can sign it again on the page People.':
		'该机器的名册不允许你在那里决定。持有根通行密钥的管理员可在“人员”页面重新签署。',
	Roster: '名册',
	'Machines at level H2 take decisions only from passkeys that a root passkey has signed.':
		'H2 级的机器只接受由根通行密钥签署过的通行密钥作出的决定。',
	'This person has no passkey, or may decide nothing.': '此人没有通行密钥，或无权作任何决定。',
	'in the roster': '已在名册中',
	'not in the roster': '不在名册中',
	'Sign {name} into the roster': '将 {name} 签入名册',
	'Sign into the roster': '签入名册',
	'no room in the roster of {team}': '{team} 的名册已无空位',
	'The roster of {team} is full: {count} signed {count:passkey has|passkeys have} no room in it, the newest, and {count:decides|decide} at no machine there. Take roles or passkeys from those who decide there no more.':
		'{team} 的名册已满：最新的 {count} 个已签入的通行密钥没有空位，不能在那里的任何机器上作出决定。请收回不再在那里作决定者的角色或通行密钥。',
	'The machine’s owner lets this be approved only at the machine itself (hub.neverRemote). Nothing was decided.':
		'该机器的所有者规定此项只能在机器上批准（hub.neverRemote）。没有作出任何决定。',
	'The machine’s owner lets nobody allow this for later calls from the hub. Approve it once, or remember it at the machine. Nothing was decided.':
		'该机器的所有者不允许从中枢为以后的调用授权。请只批准这一次，或在该机器上记住。没有作出任何决定。',
	'This was allowed from the hub a moment ago. Nothing more was allowed.': '刚才已从中枢授权。没有再次授权。',
	'The machine got this too late. Nothing was allowed. Try again.': '该机器收到得太晚。没有授权。请重试。',
	'This grant was not made from this hub: it is revoked at the machine.': '此授权并非由此中枢作出：请在该机器上撤销。',
	'It was approved once, but could not be remembered. Allow the next one when it asks.':
		'已批准这一次，但未能记住。下次询问时再允许即可。',
	'The machine has refused it. Nothing was decided.': '该机器已拒绝。没有作出任何决定。',
	'No session is of this kind.': '没有符合条件的会话。',
	'There is no such machine in a team of which you are an admin.': '你所管理的团队中没有这台机器。',
	'some machines believe this hub: whoever has the hub can decide there':
		'部分机器信任此中枢：控制中枢者可在那里作出决定',
	'machines check the passkey of whoever decides here': '机器会核对在此作决定者的通行密钥',
	'{count} waiting': '{count} 项等待',
	'{count} running': '{count} 项运行中',
	'{count} denied in a day': '一天内 {count} 次被拒绝',
	Team: '团队',
	Machine: '机器',

	// The hub's policy on the rules page
	'From the hub': '来自中枢',
	'Policy v{version} of team {team}, from the hub {hub}, until {until}.':
		'团队 {team} 的策略 v{version}，来自中枢 {hub}，有效期至 {until}。',
	'It only adds to what this home and its projects hold back.': '它只会在本机和各项目的限制之外增加限制。',
	'A root passkey stands for it: where this home says nothing, it may also hold back less than is usual.':
		'它由根通行密钥签署：本机未作规定之处，它也可以比默认限制得更少。',
	'{value} from the hub': '{value}（来自中枢）',
	'Nothing is held back by it.': '它没有限制任何内容。',
	'What the machines of a team hold back by this hub, beside their own settings. `signalbox hub policy set` makes a version, on the hub’s machine.':
		'团队的各机器除自身设置外，按此中枢另行限制的内容。在中枢所在机器上运行 `signalbox hub policy set` 可创建版本。',
	'No team yet.': '还没有团队。',
	'Machines of the team': '团队的机器',
	'It has no policy.': '没有策略。',
	'in force': '有效',
	'waits for a root passkey': '等待根通行密钥签署',
	'replaced by a later version': '已被更新的版本取代',
	expired: '已过期',
	'removed: given to no machine any more': '已移除：不再下发给任何机器',
	'until {until}': '至 {until}',
	'signed by a root passkey': '由根通行密钥签署',
	'Sign with a root passkey': '用根通行密钥签署',
	'has v{version}': '已有 v{version}',
	'is given v{version} when it comes': '连接后将收到 v{version}',
	'has refused v{version}: {why}': '已拒绝 v{version}：{why}',

	// Archived features of all machines
	'These are the newest. Choose a team, a machine or a project to see older ones.':
		'这些是最新的。选择团队、机器或项目可查看更早的。',
	'Each machine sends what it has archived in the projects that it shares. Features that are still open are on the machine’s own page.':
		'每台机器会发送它在所共享项目中归档的功能。尚未归档的功能在该机器自己的页面上。',
	'This hub has no object store: documents, handoffs and large values are at the machine alone.':
		'此中枢没有对象存储：文档、交接和大值只在该机器上。',
	'{count} {count:document or file is|documents and files are} at the machine alone: it does not share {count:it|them}, or {count:it is|they are} too large.':
		'{count} 个文档或文件只在该机器上：未共享，或过大。',
	'{count} {count:session of it is|sessions of it are} not shared with this hub.':
		'其中 {count} 个会话未与此中枢共享。',

	// Why a machine or a session is gone
	'It says that this is its connection {count}, and it has made {total} before.':
		'它说这是第 {count} 次连接，而它此前已连接 {total} 次。',
	'Its journal is older than what it reported before, or another one.': '它的账本早于它此前告知的内容，或是另一本。',
	'Its journal reports another history than before: {detail}.': '它的账本所述历史与此前不同：{detail}。',
	'{name} has approved it: {machine} has not answered yet.': '{name} 已批准：{machine} 尚未答复。',
	'{name} has denied it: {machine} has not answered yet.': '{name} 已拒绝：{machine} 尚未答复。',
	'{name} has answered it: {machine} has not answered yet.': '{name} 已回答：{machine} 尚未答复。',
	'{before} Nothing of yours was sent.': '{before}你的决定没有发出。',
	'It reports more than {count} sessions.': '它报告的会话多于 {count} 个。',
	'It was the machine of a CI job, and nothing was heard of it for a day.':
		'它是一个 CI 任务的机器，已有一天没有消息。',
	'Two machines take turns as this one.': '两台机器轮流以它的身份连接。',
	'The hub does not have this session.': '该中枢没有此会话。',
	'The hub does not keep this session any more.': '该中枢不再保留此会话。',
	'Of this session the hub does not have everything yet.': '该中枢尚未收齐此会话。',
	Invite: '邀请',
	'Invite somebody': '邀请他人',
	'Send this address. After signing in, the person is listed here.': '发送此地址。对方登录后会列在这里。',
	'Nobody gets in without a role: open the person here and give one.': '没有角色无法进入：在这里打开此人并授予角色。',
	'Never connected': '从未连接',
	'{count} of {all} {all:machine is|machines are} connected': '{all} 台机器中有 {count} 台已连接',
} as const;
