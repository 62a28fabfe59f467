export interface SkillHeader {
	name?: string;
	description?: string;
	/** `fork`: the skill runs in an agent of its own. */
	context?: string;
	/** The type of that agent. */
	agent?: string;
}

/** Reads the known keys between the two `---` of a SKILL.md; a folded description is joined. */
export function readSkillHeader(text: string): SkillHeader {
	const head = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
	const lines = head.split(/\r?\n/);
	const headerValue = (key: string): string | undefined => {
		const at = lines.findIndex((line) => new RegExp(`^["']?${key}["']?\\s*:`).test(line));
		if (at === -1) return undefined;
		const first = (lines[at] ?? '').slice((lines[at] ?? '').indexOf(':') + 1).trim();
		const rest = lines.slice(at + 1);
		const end = rest.findIndex((line) => !/^\s+\S/.test(line));
		const more = (end === -1 ? rest : rest.slice(0, end)).map((line) => line.trim());
		const joined = [/^[>|][+-]?$/.test(first) ? '' : first, ...more].filter(Boolean).join(' ');
		return joined.replace(/^(["'])(.*)\1$/, '$2') || undefined;
	};
	const keys = ['name', 'description', 'context', 'agent'] as const;
	const found = keys.map((key) => [key, headerValue(key)] as const);
	return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}
