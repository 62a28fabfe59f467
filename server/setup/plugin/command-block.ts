/** A command of ours as an agent runs it; finds the home when it runs, as the hooks do. */
export function commandBlock(words: string): string {
	return `\`\`\`sh\nnode "$(cat "\${OVERTONE_HOME:-$HOME/.overtone}/bin/server.path")" ${words}\n\`\`\``;
}
