/** What an observation is about; the last two are kept for what people will teach. */
export type ObservationType =
	| 'error_resolutions'
	| 'tool_preferences'
	| 'wording_mismatch'
	| 'agent_performance'
	| 'workflow_routing'
	| 'user_corrections'
	| 'repeated_workflows';

/** A habit that was seen, with how sure it is (seed 001): one line of observations.jsonl; of one id the last counts. */
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
	/** The project's folder where it was seen; sessions of that project share it. */
	project?: string;
	/** When the session's agent was last told it. */
	toldAt?: string;
}
