/** The names of the validators' gates in verdicts. */
export const SPAWN_GATE = 'spawn-validator';
export const COMPLETION_VALIDATOR_GATE = 'completion-validator';
