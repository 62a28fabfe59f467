import { printable } from '../text/printable.ts';

const MAX_CHARS = 500;
/** Only so much of a message is looked at: a reason stands at its beginning. */
const READ_CHARS = 64 * 1024;
const COMMENT = /<!--[^<>]{0,2000}-->/gu;
const HANDOFF = /^#{1,3}[ \t]*HANDOFF\b[^\n]*$/mu;
const FINDINGS = /^#{1,4}[ \t]*Findings[ \t]*$/imu;
const HEADING = /^#{1,4}[ \t]/mu;

/**
 * Why a stage did not pass, in one line for people: what the agent said before its handoff, else the findings in it,
 * else all of it. Comments, such as the verdict's, are left out.
 */
export function verdictReason(message: string): string {
	const said = message.slice(0, READ_CHARS).replace(COMMENT, '');
	const handoff = HANDOFF.exec(said);
	const before = handoff ? said.slice(0, handoff.index) : said;
	return printable((before.trim() || findings(said) || said).trim(), MAX_CHARS);
}

function findings(said: string): string {
	const heading = FINDINGS.exec(said);
	if (!heading) return '';
	const rest = said.slice(heading.index + heading[0].length);
	const next = HEADING.exec(rest);
	return (next ? rest.slice(0, next.index) : rest).trim();
}
