import { basename } from 'node:path';
import type { AgentHook, HookAt, HookPoint } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/draft-event.ts';
import { isDenial, joinDecisions } from '#lib/gates/hook-decision.ts';
import { isJudged, mayBeJudged } from '#lib/gates/judge-hook.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { agentNameOf } from '#lib/routing/agent-name.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import { createWorld, type World } from './create-world.ts';
import { type CallDecided, decideCall } from './decide-call.ts';
import { draftEvents, makeOf } from './draft-events.ts';
import { contentId, eventId } from './event-ids.ts';
import { findSkillAgent } from './find-skill-agent.ts';
import { holdPermission } from './hold-permission.ts';
import { asidePorts, untold } from './judge-aside.ts';
import { nameCall } from './name-call.ts';
import { planDraft, tellsPlan } from './plan-draft.ts';
import type { HookAnswer, HookRun, Ports } from './ports.ts';
import { type FoundPlan, findPlan, findSettings, projectRoot } from './project.ts';
import { failureWords, refuseInput, reportFailure } from './refuse-input.ts';
import { routeAnswer, trackTask } from './routing/route-answer.ts';
import { seal } from './seal.ts';
import { planTakesPart, workflowTakesPart } from './takes-part.ts';
import { mayBeAssessed, wantAssessment } from './validators/want-assessment.ts';
import { flowAnswer } from './workflow/flow-answer.ts';
import { flowNotes } from './workflow/flow-part.ts';
import type { Flow } from './workflow/flow-port.ts';

/** One hook with everything that is known of it before anything is decided. */
interface Asked {
	hook: AgentHook;
	run: HookRun;
	root: string;
	ports: Ports;
}

/** What a hook comes to, in no client's words. */
type Decided = Pick<HookAnswer, 'held' | 'assess' | 'problem'> & {
	decision: HookDecision | null;
	/** Why nobody could judge: the profile answers instead. */
	unjudged?: string;
};

/**
 * Turns one hook input into the one JSON object to print, and appends what happened to the session's timeline
 * first (DESIGN 1). `raw` is the text of stdin or the object parsed from it. Never throws: unreadable input and
 * failures inside give the profile's answer, with the reason in it and a `system:warning` event.
 */
export function respond(raw: unknown, run: HookRun, ports: Ports): HookAnswer {
	const adapter = adapterOf(run.agent);
	const read = adapter.read(raw);
	if (!read.ok) return refuseInput(raw, read.reason, run, ports);
	let { hook } = read;
	try {
		const root = projectRoot(hook, run, ports);
		hook = findSkillAgent(nameCall(hook, run, ports), root, ports);
		const { decision, unjudged, ...answered } = answer({ hook, run, root, ports });
		const output =
			unjudged === undefined ? adapter.print(decision, hook) : adapter.printUnjudged(run.profile, unjudged);
		return { ...answered, output };
	} catch (error) {
		tellAnyway(hook, run, ports);
		return reportFailure(error, hook, run, ports);
	}
}

/** What happened is told even where nothing can be made of it, unless that was done before the failure. */
function tellAnyway(hook: AgentHook, run: HookRun, ports: Ports): void {
	try {
		const told = draftEvents(hook, run, projectRoot(hook, run, ports), ports);
		ports.append(hook.sessionId, untold(seal(told, hook, run, ports), hook, run, ports));
	} catch {
		// The failure is reported whatever becomes of this.
	}
}

type Answered = Omit<HookAnswer, 'output'> & Decided;

function answer(asked: Asked): Answered {
	const { hook, run, root, ports } = asked;
	const happened = withCallId(draftEvents(hook, run, root, ports), asked);
	// A run is known by its request id; a tool call also by the id of its first event, whichever run told it.
	const keys = [run.requestId, ...(happened[0]?.id === undefined ? [] : [happened[0].id])];
	const base = { sessionId: hook.sessionId, keys };
	const earlier = ports.recorded(hook.sessionId, keys);
	const told = withPlace(happened, asked);
	if (!earlier) return { ...base, ...decide(asked, told) };
	const repeated: Answered = { ...base, decision: earlier.decision, repeated: true };
	if (earlier.isOwn) {
		// Where a failure must block, silence of another run is no word that the call may run: it may have failed itself.
		const isOpenToDoubt = run.profile === 'closed' && earlier.decision === null && hook.at === 'call';
		return isOpenToDoubt ? decideAnew(base, asked, told) : repeated;
	}
	// What is only read from the file anybody may have written: its no stands, and nothing else is printed of it.
	const isNo = isFirmNo(hook, earlier.decision);
	if (!isNo && GATED.includes(hook.at)) return decideAnew(base, asked, told);
	ports.append(hook.sessionId, untold(seal(told, hook, run, ports), hook, run, ports));
	return isNo ? repeated : { ...repeated, decision: null };
}

/** Where something may be held up: no line in a file lets it pass. */
const GATED: readonly HookPoint[] = ['call', 'permission', 'turn-end', 'agent-end', 'task-end'];

/** Whether an answer holds the hook up; one that ends the turn lets the agent stop. */
function isFirmNo({ at }: AgentHook, decision: HookDecision | null): boolean {
	if (!isDenial(decision)) return false;
	return at === 'call' || ((at === 'turn-end' || at === 'agent-end') && decision?.endsTurn !== true);
}

/** The answer of a second judgement, told as far as no line says the same; begun is nothing again. */
function decideAnew(base: Pick<HookAnswer, 'sessionId' | 'keys'>, asked: Asked, told: DraftEvent[]): Answered {
	const { hook, run, ports } = asked;
	try {
		const aside = asidePorts(ports);
		const again = decide({ ...asked, ports: aside.ports }, told);
		ports.append(hook.sessionId, untold(aside.lines, hook, run, ports));
		return { ...base, ...again, ...(!isDenial(again.decision) && { repeated: true }) };
	} catch (error) {
		const { problem } = reportFailure(error, hook, run, ports);
		return { ...base, decision: null, unjudged: failureWords(error), problem };
	}
}

/** Decides what was not decided before, and tells it together with `told`. */
function decide(asked: Asked, told: DraftEvent[]): Decided {
	const { hook, run, root, ports } = asked;
	// A reviewer's session is recorded and its calls are judged, but nobody sends the reviewer on or guides it.
	if (run.isReviewer && hook.at !== 'call') {
		commit(asked, [...told, ...warnings(asked)]);
		return { decision: null };
	}
	const plan = tellsPlan(hook) ? findPlan(root, ports) : undefined;
	const beside = [...warnings(asked), ...(plan ? planDraft(hook, plan, ports) : [])];
	if (hook.at === 'call') return judgeAndTell({ ...asked, hook }, [...told, ...beside], plan);
	const isOfFlow = workflowTakesPart(hook, ports, () => findSettings(root, ports).workflow.enabled === true);
	if (!isOfFlow) commit(asked, [...told, ...beside]);
	const context = { hook, run, root, plan: plan ?? { read: null }, ports };
	const flowing = isOfFlow ? flowAnswer({ ...context, told, beside }) : null;
	const held = hook.at === 'permission' ? holdPermission(hook, run, root, ports) : undefined;
	if (held) return { decision: flowing, held };
	const decision = planTakesPart(hook) ? joinDecisions(flowing, routeAnswer(context, flowing)) : flowing;
	if (!mayBeAssessed(hook)) return { decision };
	const world = { project: root, settings: findSettings(root, ports) };
	const assess = wantAssessment({ hook, run, world, decision }, ports);
	return { decision, ...(assess && { assess }) };
}

function commit({ hook, run, ports }: Asked, drafts: readonly DraftEvent[]): void {
	ports.append(hook.sessionId, seal(drafts, hook, run, ports));
}

/** What is decided of a call that no gate has anything to say of. */
const UNJUDGED = { events: [], decision: null, isJudged: false, starts: true } satisfies CallDecided;

/** A call on its way through the gates: judged, told, and only then begun. */
function judgeAndTell(asked: Asked & { hook: HookAt<'call'> }, told: readonly DraftEvent[], plan?: FoundPlan): Decided {
	const { hook, run, root, ports } = asked;
	if (!mayBeJudged(hook) && !mayBeAssessed(hook)) {
		commit(asked, told);
		return { decision: null };
	}
	const asks = hook.call.deed.does === 'start-agent' ? hook.call.deed.asked : undefined;
	const decideWith = (flow: Flow | null): Decided & { starts: boolean; isJudged?: boolean } => {
		const began = ports.now();
		const world = createWorld(hook, run, root, ports, { ...(flow && { flow }), ...(plan && { plan }) });
		// What nothing can be said of needs none of the engine: a closed hook alone may be blind.
		const isPlain = !asks && run.profile !== 'closed' && !mayBeAssessed(hook) && !isJudged(hook, world);
		const { events, ...decided } = isPlain ? UNJUDGED : decideCall(hook, run, world, ports, began);
		try {
			commit(asked, [...(flow ? flowNotes(flow) : []), ...told, ...problemDrafts(world, asked), ...events]);
			return decided;
		} catch (error) {
			// The verdict stands when nothing can be written; what nothing was said of gets the profile's answer.
			const { decision, starts, isJudged } = decided;
			const { problem } = reportFailure(error, hook, run, ports);
			return { decision, starts, problem, ...(!isJudged && { unjudged: failureWords(error) }) };
		}
	};
	// What a start changes of the workflow is judged and told under its lock.
	const isOfFlow = asks !== undefined && ports.flow.has(hook.sessionId);
	const {
		starts,
		isJudged: _judged,
		...decided
	} = isOfFlow ? ports.flow.locked(hook.sessionId, decideWith) : decideWith(null);
	if (asks && starts) {
		const found = plan ?? findPlan(root, ports);
		trackTask({ hook, run, root, plan: found, ports }, agentNameOf(asks.type), { how: 'executing' });
	}
	return decided;
}

/** Gives a tool call's first event its id already here, because a repeated call is found by it. */
function withCallId(told: DraftEvent[], { hook, run, ports }: Asked): DraftEvent[] {
	const [first, ...rest] = told;
	if (!hook.toolUseId || !first) return told;
	return [{ ...first, id: eventId(hook, run, ports, first.type, 0) }, ...rest];
}

/** The first line of a timeline says where the session is, whichever hook it comes from: hooks may be registered late. */
function withPlace(told: DraftEvent[], { hook, root, ports }: Asked): DraftEvent[] {
	const [first, ...rest] = told;
	const { sessionId, cwd, transcript } = hook;
	if (!first || !cwd || sessionId === HOME_SESSION || ports.hasTimeline(sessionId)) return told;
	const place = { cwd, project: basename(root), ...makeOf(hook), ...(transcript && { transcript }) };
	return [{ ...first, ...place }, ...rest];
}

/** What is odd about the input or its environment. The environment's oddity is told once a session, not on every call. */
function warnings({ hook, run, ports }: Asked): DraftEvent[] {
	const told: DraftEvent[] = hook.warning ? [{ type: 'system:warning', ...hook.warning }] : [];
	const names = (run.dropped ?? []).join(', ').slice(0, 500);
	if (names === '') return told;
	const id = contentId(ports, ['dropped', hook.sessionId, names]);
	if (ports.recorded(hook.sessionId, [id])) return told;
	const message = `Environment values were left out because they hold control bytes or are too long: ${names}`;
	return [...told, { type: 'system:warning', id, code: 'hook/dropped-environment', message }];
}

function problemDrafts({ settings }: World, { hook, ports }: Asked): DraftEvent[] {
	return settings.problems.flatMap((message): DraftEvent[] => {
		const id = contentId(ports, ['settings', hook.sessionId, message]);
		if (ports.recorded(hook.sessionId, [id])) return [];
		return [{ type: 'system:warning', id, code: 'settings/ignored', message }];
	});
}
