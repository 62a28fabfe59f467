/** The package's `signalbox/validators`. */
export type { BreakdownDecision, ComplexityAssessment, NextTaskAnalysis, WorkflowAnalysis } from './answers.ts';
export type { CompletionValidationContext } from './completion-workflow-validator.ts';
export { type CompletionValidationResult, CompletionWorkflowValidator } from './completion-workflow-validator.ts';
export { type LLMClient, LLMError, type LLMQuestion } from './llm-question.ts';
export type { SpawnValidationContext } from './spawn-validator.ts';
export { type SpawnValidationResult, SpawnValidator } from './spawn-validator.ts';
export { type MemoryStore, memoryOf, type Task, type TaskPriority, type TaskStatus, taskHierarchy } from './task.ts';
