import { readResult } from './read-workflow-state.ts';
import { stageBase } from './stage-keys.ts';
import { verdictParts } from './verdict-comment.ts';
import type { StageResult } from './workflow-state.ts';

/** Only the end of a long message is read: that is where agents conclude. */
const READ_CHARS = 64 * 1024;
const LINE =
	/^[\s>#*_-]{0,12}(?:verdict|result|conclusion|結論|判定|結果)[\s*_]{0,8}[:：][\s*_`]{0,8}(pass|approve|fail|reject|issues)(?:e?d)?\b/gimu;

interface WordRule {
	result: StageResult;
	words: RegExp;
	/** Phrases that hold such a word and mean something else. */
	meant: readonly RegExp[];
}

const REJECT: WordRule = {
	result: 'reject',
	words: /reject|拒絕|駁回/iu,
	meant: [
		/\b(?:no|not|never|nothing|without|0|zero|don['’]t|do not|did not|didn['’]t|would not|cannot)\b[ \w]{0,12}\breject\w*/giu,
		/(?:不|沒有|未|無需)(?:被)?(?:拒絕|駁回)/gu,
		/\breject\w*\s+(?:the |an? |this |other |all |these |those )*(?:alternative|option|idea|input|request|value|promise|invalid|bad|malformed|unknown|wrong|empty|unauthori[sz]ed|duplicate|non-)\w*/giu,
		/\b(?:alternative|option|idea|input|request|value|promise|token|payload|connection)s?\b[^.!?\n]{0,60}\breject\w*/giu,
		/\b(?:unhandled|promise)\s*reject\w*|\breject(?:ion)?\s*(?:handler|callback|path|test|case)s?\b|\breject\(/giu,
	],
};

const FAIL: WordRule = {
	result: 'fail',
	words: /fail|失敗|errors?\b|錯誤/iu,
	meant: [
		/\b(?:no|not|never|0|zero|without|nothing)\b[ \t]+(?:\w+[ \t]+){0,2}(?:fail\w*|\w*errors?)\b/giu,
		/\b(?:fail\w*|errors?)[ \t]*[:=][ \t]*(?:0|none|no)\b/giu,
		/(?:沒有|無|零|0 ?個?)(?:任何)?(?:失敗|錯誤)/gu,
		/\bfail(?:ure)?[- ](?:mode|safe|fast|over|open|closed|soft|path|case|scenario|handling)s?\b/giu,
		/\berror[- ](?:handling|handler|recovery|free|message|case|path|code|boundary|boundaries|type|state|page|text|class|log|reporting|scenario)s?\b/giu,
		/\b(?:expected|handled?s?|throws?|returns?|shows?)\s+(?:an? |the |its )?\w*errors?\b/giu,
		/\b(?:fixed|resolved|repaired|solved|removed|cleared)\s+(?:(?:all|the|every|both|\d+|previous|remaining|type|build|lint|compile|compiler|typescript|of)\s+){0,4}(?:errors?|failures?|failing \w+)\b/giu,
	],
};

const ISSUES: WordRule = {
	result: 'issues',
	words: /\bissues?\b|improve|改善|改進|優化|問題/iu,
	meant: [
		/\b(?:no|not|0|zero|without|nothing)\b[ \t]+(?:\w+[ \t]+){0,3}(?:issues?|improve\w*)\b/giu,
		/\bissues?[ \t]*[:=][ \t]*(?:0|none|no)\b/giu,
		/(?:沒有|無需?|不需要?|0 ?個?)(?:任何|發現|進一步|再)*(?:問題|改善|改進|優化)/gu,
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
 * What an agent's last message says of its stage (seed 001): the last VERDICT comment, else a line that names the
 * verdict, else the words of the stage's kind without phrases that mean something else. Everything unclear is a pass,
 * and stages that judge nothing pass unless a comment says otherwise.
 */
export function parseVerdict(stage: string, message: string): StageResult {
	const said = message.slice(-READ_CHARS);
	const base = stageBase(stage);
	const rule = Object.hasOwn(RULES, base) ? RULES[base] : undefined;
	const commented = verdictParts(said).findLast((part) => part.kind === 'verdict');
	return commented?.result ?? (rule ? (lineVerdict(said) ?? wordVerdict(rule, said)) : 'pass');
}

function lineVerdict(said: string): StageResult | null {
	const word = [...said.matchAll(LINE)].at(-1)?.[1]?.toLowerCase();
	return word === 'approve' ? 'pass' : readResult(word);
}

function wordVerdict(rule: WordRule, said: string): StageResult {
	const rest = rule.meant.reduce((text, phrase) => text.replace(phrase, ' '), said);
	return rule.words.test(rest) ? rule.result : 'pass';
}

const WORSE: Record<StageResult, number> = { fail: 3, reject: 2, issues: 1, pass: 0 };

/** The worse of two results of agents that worked on one stage. */
export function worseResult(one: StageResult | undefined, other: StageResult): StageResult {
	return one !== undefined && WORSE[one] > WORSE[other] ? one : other;
}
