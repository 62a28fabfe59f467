/** What a connected machine last reported of itself. */
export interface ConnectedEdgeStatus {
	behindBytes: number;
	lateMs: number;
	/** Of its clock, from ours. */
	skewMs: number;
}
