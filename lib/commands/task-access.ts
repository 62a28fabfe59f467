import type { Task } from './task-command.ts';

/** What a task's agent may use: no tool at all, or every tool but those of some shell commands. */
export interface TaskAccess {
	/** Patterns that its own shell refuses, as in `commands.exclude`. */
	exclude: readonly string[];
	tools: 'all' | 'none';
	/** Turns when the command names none; no number leaves it to the agent client. */
	maxTurns?: number;
}

/** What each kind of task's agent may do (seed 003): none starts further agents, explorers change nothing. */
export function accessOf({ type, action }: Pick<Task, 'type' | 'action'>): TaskAccess {
	switch (type) {
		case 'explore':
			return { exclude: ['task:', 'edit', 'write'], tools: 'all' };
		case 'general':
			return { exclude: ['task:'], tools: 'all' };
		case 'skill':
			return action === 'search'
				? { exclude: ['task:'], tools: 'none', maxTurns: 1 }
				: { exclude: ['task:'], tools: 'all' };
	}
}
