/** What a system's own supervisor runs, all paths absolute. */
export interface ServiceFacts {
	node: string;
	program: string;
	home: string;
	/** The person's PATH, with which gates and channels find their programs. */
	searchPath: string;
}

/** One word of a systemd command line or assignment: quoted, with specifiers and variables escaped. */
const unitWord = (text: string, isCommand = false) => {
	const plain = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
	return `"${isCommand ? plain.replaceAll('$', '$$$$') : plain}"`;
};

/** A user unit of systemd that runs the server. */
export function systemdUnit({ node, program, home, searchPath }: ServiceFacts): string {
	const command = [node, program].map((word) => unitWord(word, true)).join(' ');
	return `[Unit]
Description=Signalbox
After=network.target

[Service]
ExecStart=${command} start
Environment=${unitWord(`OVERTONE_HOME=${home}`)} ${unitWord(`PATH=${searchPath}`)}
Restart=on-failure
RestartSec=2
TimeoutStopSec=30
UMask=0077

[Install]
WantedBy=default.target
`;
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An agent of launchd that runs the server. */
export function launchdAgent({ node, program, home, searchPath }: ServiceFacts): string {
	const words = [node, program, 'start'].map((word) => `\t\t<string>${xml(word)}</string>`).join('\n');
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>signalbox</string>
	<key>ProgramArguments</key>
	<array>
${words}
	</array>
	<key>EnvironmentVariables</key>
	<dict>
		<key>OVERTONE_HOME</key>
		<string>${xml(home)}</string>
		<key>PATH</key>
		<string>${xml(searchPath)}</string>
	</dict>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>Umask</key>
	<integer>63</integer>
	<key>StandardErrorPath</key>
	<string>${xml(home)}/service.log</string>
</dict>
</plist>
`;
}

/** Whether two units run the same home in the same way. Node, program and PATH may differ: upgrades move them. */
export function isSameUnit(one: string, other: string): boolean {
	const fixed = (unit: string) =>
		unit
			.replace(/^ExecStart=.*$/m, '')
			.replace(/ "PATH=.*"$/m, '')
			.replace(/<array>[\s\S]*?<\/array>/, '')
			.replace(/(<key>PATH<\/key>\s*<string>)[^<]*/, '$1');
	return fixed(one) === fixed(other);
}
