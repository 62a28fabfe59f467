/** What a program under test gets of the machine's own environment: where programs are, nothing else. */
export function bareEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
	return { PATH: process.env.PATH ?? '/usr/bin:/bin', NODE_ENV: 'production', ...more };
}
