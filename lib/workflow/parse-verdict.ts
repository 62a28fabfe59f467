import type { StageResult, Verdict } from '../contract/sessions/read-model/workflow-state.ts';
import { printable } from '../text/printable.ts';
import { readResult } from './read-workflow-state.ts';
import { stageBase } from './registry.ts';
import { verdictParts } from './verdict-comment.ts';

/** Agents conclude at the end of a message. */
const READ_CHARS = 64 * 1024;
const LINE =
	/^[\s>#*_-]{0,12}(?:verdict|result|conclusion|結論|判定|結果)[\s*_]{0,8}[:：][\s*_`]{0,8}(pass|approve|fail|reject|issues)(?:e?d)?\b/gimu;

interface WordRule {
	result: StageResult;
	words: RegExp;
	none: readonly RegExp[];
	meant: readonly RegExp[];
}

const PASSED = /\b(?:pass(?:e[sd])?|approved?|approving|lgtm|looks good|green)\b|通過|核准|批准/iu;

const REJECT: WordRule = {
	result: 'reject',
	words: new RegExp(
		[
			'reject|拒絕|駁回',
			/\bchanges?\s+(?:are\s+|were\s+)?(?:requested|required|needed)|\brequest(?:s|ing)?\s+changes\b/.source,
			/\bblocking\s+(?:\w+\s+)?(?:problem|issue|finding|defect|bug|concern|comment|error)s?\b|\bblockers?\b/.source,
			/\b(?:not(?:\s+yet)?|cannot|can['’]t)\s+(?:be\s+)?(?:approved?|merged?|ready)\b|\bdo\s+not\s+merge\b/.source,
			/\bmust\s+(?:first\s+)?be\s+fixed\b|需要修改|要求修改|必須修改/.source,
		].join('|'),
		'iu',
	),
	none: [
		/\b(?:no|not|never|nothing|without|0|zero|don['’]t|do not|did not|didn['’]t|would not|cannot)\b[ \w]{0,12}\breject\w*/giu,
		/(?:不|沒有|未|無需)(?:被)?(?:拒絕|駁回)|(?:不|沒有|無)需要?修改/gu,
		/\b(?:no|not|0|zero|without|nothing|never)\b(?:[ \t]+\w+){0,2}[ \t]+(?:changes?(?:[ \t]+(?:are|were))?(?:[ \t]+(?:requested|required|needed))?|blocking\w*(?:[ \t]+\w+)?|blockers?)\b/giu,
		/\b(?:changes?[ \t]+(?:requested|required|needed)|block(?:ers?|ing \w+))[ \t]*[:=][ \t]*(?:0|none|no)\b/giu,
	],
	meant: [
		/\bnon-?blocking\b(?:[ \t]+\w+)?/giu,
		/\bchanges?\s+(?:that\s+(?:I\s+|were\s+)?)?requested\b[^.!?\n]{0,60}\b(?:made|addressed|resolved|done|in place)\b/giu,
		/\b(?:blocking \w+|blockers?)\b[^.!?\n]{0,20}\b(?:was|were|are|is|has been|have been)\s+(?:all\s+)?(?:fixed|resolved|addressed|gone)\b/giu,
		/\breject\w*\s+(?:the |an? |this |other |all |these |those )*(?:alternative|option|idea|input|request|value|promise|invalid|bad|malformed|unknown|wrong|empty|unauthori[sz]ed|duplicate|non-)\w*/giu,
		/\b(?:alternative|option|idea|input|request|value|promise|token|payload|connection)s?\b[^.!?\n]{0,60}\breject\w*/giu,
		/\b(?:unhandled|promise)\s*reject\w*|\breject(?:ion)?\s*(?:handler|callback|path|test|case)s?\b|\breject\(/giu,
	],
};

const FAIL: WordRule = {
	result: 'fail',
	words:
		/fail|失敗|errors?\b|錯誤|\b(?:(?:do|does|did|is|are|was|were|could|can)(?:\s+not|n['’]t)|cannot|not)\s+(?:\w+\s+)?pass(?:ed|es|ing)?\b|未通過|沒有通過/iu,
	none: [
		/\b(?:no|not|never|0|zero|without|nothing)\b[ \t]+(?:\w+[ \t]+){0,2}(?:fail\w*|\w*errors?)\b/giu,
		/\b(?:fail\w*|errors?)[ \t]*[:=][ \t]*(?:0|none|no)\b/giu,
		/(?:沒有|無|零|0 ?個?)(?:任何)?(?:失敗|錯誤)/gu,
	],
	meant: [
		/\bfail(?:ure)?[- ](?:mode|safe|fast|over|open|closed|soft|path|case|scenario|handling)s?\b/giu,
		/\berror[- ](?:handling|handler|recovery|free|message|case|path|code|boundary|boundaries|type|state|page|text|class|log|reporting|scenario)s?\b/giu,
		/\b(?:expected|handled?s?|throws?|returns?|shows?)\s+(?:an? |the |its )?\w*errors?\b/giu,
		/\b(?:fixed|resolved|repaired|solved|removed|cleared)\s+(?:(?:all|the|every|both|\d+|previous|remaining|type|build|lint|compile|compiler|typescript|of)\s+){0,4}(?:errors?|failures?|failing \w+)\b/giu,
	],
};

const ISSUES: WordRule = {
	result: 'issues',
	words: /\bissues?\b|improve|改善|改進|優化|問題/iu,
	none: [
		/\b(?:no|not|0|zero|without|nothing)\b[ \t]+(?:\w+[ \t]+){0,3}(?:issues?|improve\w*)\b/giu,
		/\bissues?[ \t]*[:=][ \t]*(?:0|none|no)\b/giu,
		/(?:沒有|無需?|不需要?|0 ?個?)(?:任何|發現|進一步|再)*(?:問題|改善|改進|優化)/gu,
	],
	meant: [
		/\b(?:issues?|improvements?)\s+(?:was|were|have been|has been|are|is)\s+(?:all\s+)?(?:fixed|resolved|closed|made)\b/giu,
		/\bimproved\b/giu,
	],
};

const RULES: Readonly<Partial<Record<string, WordRule>>> = {
	REVIEW: REJECT,
	SECURITY: REJECT,
	'DB-REVIEW': REJECT,
	TEST: FAIL,
	QA: FAIL,
	E2E: FAIL,
	'BUILD-FIX': FAIL,
	RETRO: ISSUES,
};

/**
 * The last VERDICT comment, else a line that names it, else words of the stage's kind. Other words are an unspoken pass, silence
 * is unclear. `message` is undefined if the client reports none.
 */
export function parseVerdict(stage: string, message: string | undefined): Verdict {
	if (message === undefined) return UNSAID;
	const tail = message.slice(-READ_CHARS);
	if (tail.trim() === '') return { result: 'unclear', source: 'none' };
	const base = stageBase(stage);
	const rule = Object.hasOwn(RULES, base) ? RULES[base] : undefined;
	const commented = verdictParts(tail).findLast((part) => part.kind === 'verdict');
	if (commented) return { result: commented.result, source: 'comment' };
	if (!rule) return UNSAID;
	const named = lineVerdict(tail);
	return named ? { result: named, source: 'line' } : wordVerdict(rule, tail);
}

const UNSAID: Verdict = { result: 'pass', source: 'none' };

function lineVerdict(tail: string): StageResult | null {
	const word = [...tail.matchAll(LINE)].at(-1)?.[1]?.toLowerCase();
	return word === 'approve' ? 'pass' : readResult(word);
}

function wordVerdict({ result, words, none, meant }: WordRule, tail: string): Verdict {
	const without = (text: string, phrases: readonly RegExp[]) =>
		phrases.reduce((rest, phrase) => rest.replace(phrase, ' '), text);
	const unsaid = without(tail, none);
	const rest = without(unsaid, meant);
	if (words.test(rest)) return { result, source: 'words' };
	return unsaid !== tail || PASSED.test(rest) ? { result: 'pass', source: 'words' } : UNSAID;
}

const WORSE: Record<StageResult, number> = { fail: 4, reject: 3, unclear: 2, issues: 1, pass: 0 };

/** Of two equally bad verdicts the spoken one is kept. */
export function worseVerdict(one: Verdict | undefined, other: Verdict): Verdict {
	if (one === undefined || WORSE[one.result] < WORSE[other.result]) return other;
	return one.result === other.result && one.source === 'none' ? other : one;
}

const MAX_CHARS = 500;
const COMMENT = /<!--[^<>]{0,2000}-->/gu;
const HANDOFF = /^#{1,3}[ \t]*HANDOFF\b[^\n]*$/mu;
const FINDINGS = /^#{1,4}[ \t]*Findings[ \t]*$/imu;
const HEADING = /^#{1,4}[ \t]/mu;

/** Why a stage did not pass, in one line: what comes before the handoff, else its findings, else all of it. */
export function verdictReason(message: string): string {
	const start = message.slice(0, READ_CHARS).replace(COMMENT, '');
	const handoff = HANDOFF.exec(start);
	const before = handoff ? start.slice(0, handoff.index) : start;
	return printable((before.trim() || findings(start) || start).trim(), MAX_CHARS);
}

function findings(text: string): string {
	const heading = FINDINGS.exec(text);
	if (!heading) return '';
	const rest = text.slice(heading.index + heading[0].length);
	const next = HEADING.exec(rest);
	return (next ? rest.slice(0, next.index) : rest).trim();
}
