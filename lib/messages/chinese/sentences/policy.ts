export const policy = {
	'the key of the hub does not stand for it': '中枢的密钥没有为它签名',
	'it is for the team {team}': '它属于团队 {team}',
	'it has expired': '它已过期',
	'it holds longer than {days} days': '其有效期超过 {days} 天',
	'version {version} is older than version {seen}, which was here': '版本 {version} 早于这里已有的版本 {seen}',
	'version {version} was here with other content': '版本 {version} 曾以其他内容出现在这里',
	'only a root passkey may loosen {settings}': '只有根通行密钥才能放宽 {settings}',
	'only a root passkey may end a policy earlier than {expires}': '只有根通行密钥才能让策略早于 {expires} 结束',
	'{path} was not as the hub’s policy is kept, and was put back#incident': '{path} 与中枢策略的保存内容不符，已恢复',
	'it does not fit: {problem}': '格式不符：{problem}',
} as const;
