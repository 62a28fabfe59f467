export type Tone = 'run' | 'ok' | 'warn' | 'err' | 'wait' | 'plain';

interface EventLabel<Title = readonly string[] | null> {
	readonly en: string;
	readonly zh: string;
	/** The fields in a row's title; null if the title needs words (`lib/session/row.ts`). */
	readonly title: Title;
	readonly tone: Tone;
	readonly shown: boolean;
}

const label = <const Title extends EventLabel['title']>(
	en: string,
	zh: string,
	title: Title,
	tone: Tone = 'plain',
	shown = true,
): EventLabel<Title> => ({ en, zh, title, tone, shown });

/** Holds no schema, so that hooks can name events without zod; `event.ts` proves that each type has one. */
export const eventLabels = {
	'workflow:start': label('Workflow started', '工作流啟動', ['workflowType', 'featureName'], 'run'),
	'workflow:complete': label('Workflow complete', '工作流完成', ['workflowType', 'duration'], 'ok'),
	'workflow:abort': label('Workflow aborted', '工作流中止', ['workflowType', 'duration'], 'err'),
	'workflow:pause': label('Workflow paused', '工作流暫停', ['workflowType'], 'wait'),
	'workflow:resume': label('Workflow resumed', '工作流恢復', ['workflowType'], 'run'),
	'workflow:adopt': label('Workflow file edited', '工作流檔案變更', ['file'], 'warn'),
	'stage:start': label('Stage started', '階段開始', ['stage'], 'run'),
	'stage:complete': label('Stage complete', '階段完成', null, 'ok'),
	'stage:retry': label('Stage retried', '階段重試', ['stage', 'reason'], 'warn'),
	'agent:delegate': label('Agent delegated', '委派代理', ['agent', 'description'], 'run'),
	'agent:start': label('Agent started', '代理啟動', ['agent'], 'run'),
	'agent:complete': label('Agent complete', '代理完成', null, 'ok'),
	'agent:error': label('Agent failed', '代理錯誤', ['agent', 'reason'], 'err'),
	'loop:start': label('Loop started', '循環開始', ['workflowType'], 'run'),
	'loop:advance': label('Loop advanced', '循環推進', null, 'run'),
	'loop:complete': label('Loop complete', '循環完成', null, 'ok'),
	'handoff:create': label('Handoff written', '交接建立', null),
	'parallel:start': label('Parallel group started', '並行開始', null, 'run'),
	'parallel:converge': label('Parallel group converged', '並行收斂', ['group'], 'ok'),
	'grader:score': label('Graded', '評分', ['stage', 'agent']),
	'specs:init': label('Feature created', '規格建立', ['featureName']),
	'specs:pause': label('Feature paused', '規格暫停', ['featureName'], 'wait'),
	'specs:resume': label('Feature resumed', '規格恢復', ['featureName'], 'run'),
	'specs:archive': label('Feature archived', '規格歸檔', ['featureName'], 'ok'),
	'error:fatal': label('Stopped by an error', '嚴重錯誤', ['reason'], 'err'),
	'session:start': label('Session started', '會話開始', null, 'run'),
	'session:end': label('Session ended', '會話結束', null),
	'session:compact': label('Context compacted', '上下文壓縮', ['trigger']),

	'session:notice': label('Notice', '通知', ['message'], 'wait'),
	'session:lost': label('Agent gone', '代理消失', ['reason'], 'err'),
	'prompt:submit': label('Prompt', '提示', null),
	'tool:call': label('Tool called', '工具呼叫', ['tool'], 'run', false),
	'tool:result': label('Tool ran', '工具結果', ['tool'], 'ok', false),
	'tool:error': label('Tool failed', '工具錯誤', ['tool'], 'err', false),
	'model:usage': label('Model answered', '模型用量', null, 'plain', false),
	'model:error': label('Model did not answer', '模型錯誤', null, 'warn'),
	'permission:decide': label('Permission', '權限裁定', ['decision', 'tool', 'by'], 'plain', false),
	'message:show': label('Message', '訊息', null, 'plain'),
	'gate:verdict': label('Gate verdict', '閘門裁決', ['gate', 'decision', 'reason'], 'plain', false),
	'routing:plan': label('Routing plan', '路由計劃', ['planId', 'status']),
	'routing:mismatch': label('Not in the plan', '路由不符', null, 'err'),
	'supervisor:review': label('Supervisor reviews', '監督審查', null, 'wait'),
	'supervisor:verdict': label('Supervisor verdict', '監督裁決', null),
	'supervisor:switch': label('Supervisor switched', '監督切換', null),
	'validator:assessment': label('Validator assessment', '驗證評估', null),
	'validator:subtasks': label('Subtasks created', '子任務建立', null, 'ok'),
	'approval:request': label('Approval asked', '請求批准', ['tool'], 'wait'),
	'approval:resolve': label('Approval decided', '批准裁定', ['decision', 'reason'], 'ok'),
	'approval:expire': label('Approval expired', '批准逾期', [], 'warn'),
	'approval:abandon': label('Approval abandoned', '批准放棄', ['reason'], 'warn'),
	'approval:late': label('Approval came too late', '批准太遲', [], 'warn'),
	'grant:create': label('Grant created', '授權建立', null, 'warn'),
	'grant:use': label('Grant used', '授權使用', ['reason'], 'warn'),
	'grant:revoke': label('Grant revoked', '授權撤銷', ['reason']),
	'grant:expire': label('Grant expired', '授權逾期', ['reason', 'grantId']),
	'alarm:acknowledge': label('Alarm seen', '警報已知悉', ['alarm']),
	'alarm:snooze': label('Alarm put off', '警報暫緩', null),
	'note:add': label('Note', '註記', null),
	'todo:update': label('Todos updated', '待辦更新', null),
	'command:run': label('Command ran', '命令執行', ['command'], 'ok', false),
	'command:block': label('Command blocked', '命令阻斷', ['command', 'reason'], 'err'),
	'system:warning': label('Warning', '系統警告', ['message'], 'warn'),
	'system:gap': label('Unreadable range', '無法讀取', null, 'warn'),
	'hook:event': label('Hook', '鉤子', null, 'plain', false),
} as const satisfies Record<string, EventLabel>;

export type EventType = keyof typeof eventLabels;

export function isEventType(type: string): type is EventType {
	return Object.hasOwn(eventLabels, type);
}

/** `tool` of `tool:call`. */
export function categoryOf(type: string): string {
	return type.slice(0, type.indexOf(':') === -1 ? type.length : type.indexOf(':'));
}

/** A type of another version is its own label. */
export function labelOf(type: string): EventLabel {
	return isEventType(type) ? eventLabels[type] : label(type, type, []);
}

/** The parts of an event's envelope that its type implies. */
export function typeFields<Type extends string>(type: Type) {
	return { type, category: categoryOf(type), label: labelOf(type).en };
}

export const SPAWN_GATE = 'spawn-validator';
export const COMPLETION_VALIDATOR_GATE = 'completion-validator';

/** Whether an event has a type and fields that this version knows; loads no schema, since every page asks it. */
export function isKnown<Event extends { type: string }>(event: Event): event is Exclude<Event, { unknown: true }> {
	return !('unknown' in event);
}
