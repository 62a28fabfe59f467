/** How a person sees an event: five tones, each always beside a word or glyph. */
export type Tone = 'run' | 'ok' | 'warn' | 'err' | 'wait' | 'plain';

interface EventLabel {
	readonly en: string;
	/** The seed's Chinese word, for the 22 types of seed 001. */
	readonly zh: string;
	readonly tone: Tone;
	/** Whether the story shows it without a filter being set. */
	readonly shown: boolean;
}

const label = (en: string, zh: string, tone: Tone = 'plain', shown = true): EventLabel => ({ en, zh, tone, shown });

/**
 * Every event type once, with its words. It holds no schema, so that hooks can name events
 * without loading zod; `event.ts` proves at compile time that each type here has one.
 */
export const eventLabels = {
	'workflow:start': label('Workflow started', '工作流啟動', 'run'),
	'workflow:complete': label('Workflow complete', '工作流完成', 'ok'),
	'workflow:abort': label('Workflow aborted', '工作流中止', 'err'),
	'workflow:pause': label('Workflow paused', '工作流暫停', 'wait'),
	'workflow:resume': label('Workflow resumed', '工作流恢復', 'run'),
	'workflow:adopt': label('Workflow file edited', '工作流檔案變更', 'warn'),
	'stage:start': label('Stage started', '階段開始', 'run'),
	'stage:complete': label('Stage complete', '階段完成', 'ok'),
	'stage:retry': label('Stage retried', '階段重試', 'warn'),
	'agent:delegate': label('Agent delegated', '委派代理', 'run'),
	'agent:start': label('Agent started', '代理啟動', 'run'),
	'agent:complete': label('Agent complete', '代理完成', 'ok'),
	'agent:error': label('Agent failed', '代理錯誤', 'err'),
	'loop:start': label('Loop started', '循環開始', 'run'),
	'loop:advance': label('Loop advanced', '循環推進', 'run'),
	'loop:complete': label('Loop complete', '循環完成', 'ok'),
	'handoff:create': label('Handoff written', '交接建立'),
	'parallel:start': label('Parallel group started', '並行開始', 'run'),
	'parallel:converge': label('Parallel group converged', '並行收斂', 'ok'),
	'grader:score': label('Graded', '評分'),
	'specs:init': label('Feature created', '規格建立'),
	'specs:pause': label('Feature paused', '規格暫停', 'wait'),
	'specs:resume': label('Feature resumed', '規格恢復', 'run'),
	'specs:archive': label('Feature archived', '規格歸檔', 'ok'),
	'error:fatal': label('Stopped by an error', '嚴重錯誤', 'err'),
	'session:start': label('Session started', '會話開始', 'run'),
	'session:end': label('Session ended', '會話結束'),
	'session:compact': label('Context compacted', '上下文壓縮'),

	'session:notice': label('Notice', '通知', 'wait'),
	'session:lost': label('Agent gone', '代理消失', 'err'),
	'prompt:submit': label('Prompt', '提示'),
	'tool:call': label('Tool called', '工具呼叫', 'run', false),
	'tool:result': label('Tool ran', '工具結果', 'ok', false),
	'tool:error': label('Tool failed', '工具錯誤', 'err', false),
	'model:usage': label('Model answered', '模型用量', 'plain', false),
	'message:show': label('Message', '訊息', 'plain'),
	'gate:verdict': label('Gate verdict', '閘門裁決', 'plain', false),
	'routing:plan': label('Routing plan', '路由計劃'),
	'routing:mismatch': label('Not in the plan', '路由不符', 'err'),
	'supervisor:review': label('Supervisor reviews', '監督審查', 'wait'),
	'supervisor:verdict': label('Supervisor verdict', '監督裁決'),
	'supervisor:switch': label('Supervisor switched', '監督切換'),
	'validator:assessment': label('Validator assessment', '驗證評估'),
	'validator:subtasks': label('Subtasks created', '子任務建立', 'ok'),
	'approval:request': label('Approval asked', '請求批准', 'wait'),
	'approval:resolve': label('Approval decided', '批准裁定', 'ok'),
	'approval:expire': label('Approval expired', '批准逾期', 'warn'),
	'approval:abandon': label('Approval abandoned', '批准放棄', 'warn'),
	'grant:create': label('Grant created', '授權建立', 'warn'),
	'grant:use': label('Grant used', '授權使用', 'warn'),
	'grant:revoke': label('Grant revoked', '授權撤銷'),
	'grant:expire': label('Grant expired', '授權逾期'),
	'alarm:acknowledge': label('Alarm seen', '警報已知悉'),
	'alarm:snooze': label('Alarm put off', '警報暫緩'),
	'todo:update': label('Todos updated', '待辦更新'),
	'command:run': label('Command ran', '命令執行', 'ok', false),
	'command:block': label('Command blocked', '命令阻斷', 'err'),
	'system:warning': label('Warning', '系統警告', 'warn'),
	'system:gap': label('Unreadable range', '無法讀取', 'warn'),
	'hook:event': label('Hook', '鉤子', 'plain', false),
} as const satisfies Record<string, EventLabel>;

/** A type that the catalogue knows. Others are kept and shown as they came. */
export type EventType = keyof typeof eventLabels;

/** Whether a type is in the catalogue. */
export function isEventType(type: string): type is EventType {
	return Object.hasOwn(eventLabels, type);
}

/** The part before the colon: the seed's category. */
export function categoryOf(type: string): string {
	return type.slice(0, type.indexOf(':') === -1 ? type.length : type.indexOf(':'));
}

/** The words for any type, known or not. */
export function labelOf(type: string): EventLabel {
	return isEventType(type) ? eventLabels[type] : label(type, type, 'plain', true);
}
