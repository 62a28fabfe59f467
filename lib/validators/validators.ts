/*
 * `signalbox/validators`: the classes of seed 002 as a library. They ask the LLMClient and read the MemoryStore that they
 * are given, and touch nothing else.
 */
export type { BreakdownDecision, ComplexityAssessment, NextTaskAnalysis, WorkflowAnalysis } from './answers.ts';
export type { CompletionValidationContext } from './completion-prompt.ts';
export { type CompletionValidationResult, CompletionWorkflowValidator } from './completion-workflow-validator.ts';
export { taskHierarchy } from './hierarchy.ts';
export { type LLMClient, LLMError, type LLMQuestion } from './llm-client.ts';
export type { SpawnValidationContext } from './spawn-prompt.ts';
export { type SpawnValidationResult, SpawnValidator } from './spawn-validator.ts';
export { type MemoryStore, memoryOf, type Task, type TaskPriority, type TaskStatus } from './task.ts';
