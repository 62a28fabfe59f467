/** A command of ours as an agent runs it; the home is found when it runs, like the hooks find it. */
export function commandBlock(words: string): string {
	return `\`\`\`sh\nnode "$(cat "\${OVERTONE_HOME:-$HOME/.overtone}/bin/server.path")" ${words}\n\`\`\``;
}
