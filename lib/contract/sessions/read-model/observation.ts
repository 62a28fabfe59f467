export type ObservationType =
	| 'error_resolutions'
	| 'tool_preferences'
	| 'wording_mismatch'
	| 'agent_performance'
	| 'workflow_routing'
	| 'user_corrections'
	| 'repeated_workflows';

/** A habit that was seen; of one id the last line counts. */
export interface Observation {
	id: string;
	ts: string;
	lastSeen: string;
	type: ObservationType;
	trigger: string;
	action: string;
	tag: string;
	/** 0 to 1, four decimals. */
	confidence: number;
	count: number;
	project?: string;
	toldAt?: string;
}
