import { relative } from 'node:path';
import type { Ports, WantedAssessment } from '#hooks-bridge/ports/ports.ts';
import { parseTasks } from '#lib/features/tasks-file.ts';
import { type CompletionCall, completionCall, textAfter } from '#lib/validators/completion-call.ts';
import type { CompletionValidationContext } from '#lib/validators/completion-prompt.ts';
import { boxTasks } from '#lib/validators/listed-tasks.ts';
import { type SessionTasks, todoTasks } from '#lib/validators/session-tasks.ts';
import type { Task } from '#lib/validators/task.ts';

/** What a wanted assessment is about. */
export const callOf = ({ hook }: WantedAssessment): CompletionCall | null => completionCall(hook);

/** What is validated; null where the call completes nothing that was open. */
export function completionSubject(
	call: CompletionCall,
	wanted: WantedAssessment,
	told: SessionTasks,
	ports: Ports,
): CompletionValidationContext | null {
	const completedTaskFiles = told.files.slice(-50);
	switch (call.kind) {
		case 'task': {
			const known = told.tasks.find(({ id }) => id === call.id);
			if (known?.status === 'completed') return null;
			const fresh: Task = { id: call.id, description: call.subject ?? '', status: 'active', priority: 'medium' };
			const completedTask = known ?? fresh;
			if (completedTask.description === '') return null;
			return { completedTask, allTasks: told.tasks, completedTaskFiles };
		}
		case 'todo':
			return newlyDone(told.todos.get(wanted.hook.agentId ?? '') ?? [], todoTasks(call.todos), completedTaskFiles);
		case 'boxes': {
			const { root } = wanted;
			const read = root === '' ? undefined : ports.readProjectFile(root, relative(root, call.path));
			const before = read?.ok ? read.text : '';
			return newlyDone(boxesOf(before), boxesOf(textAfter(before, call)), completedTaskFiles);
		}
	}
}

const boxesOf = (text: string): Task[] => boxTasks(parseTasks(text).boxes);

/** The last task of a list that is completed now and was not before; the others that are, count as completed. */
function newlyDone(
	before: readonly Task[],
	after: readonly Task[],
	completedTaskFiles: readonly string[],
): CompletionValidationContext | null {
	const isDone = ({ status }: Task) => status === 'completed';
	const was = new Set(before.filter(isDone).map(({ description }) => description));
	const completedTask = after.findLast((task) => isDone(task) && !was.has(task.description));
	return completedTask ? { completedTask, allTasks: after, completedTaskFiles } : null;
}
