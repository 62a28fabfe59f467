import type { AgentSetup } from '../agent-setup.ts';
import { claudeCodeTelemetry } from './telemetry.ts';

/**
 * Every event of the client but two, and whether it filters that event by a matcher: a WorktreeCreate hook would replace
 * git's own worktree creation, and WorktreeRemove is nothing without it. FileChanged goes without a matcher because
 * there it names files to watch.
 */
export const clientEvents: Readonly<Record<string, boolean>> = {
	SessionStart: true,
	Setup: true,
	InstructionsLoaded: true,
	UserPromptSubmit: false,
	UserPromptExpansion: true,
	MessageDisplay: false,
	PreToolUse: true,
	PermissionRequest: true,
	PermissionDenied: true,
	PostToolUse: true,
	PostToolUseFailure: true,
	PostToolBatch: false,
	Notification: true,
	SubagentStart: true,
	SubagentStop: true,
	TaskCreated: false,
	TaskCompleted: false,
	Stop: false,
	StopFailure: true,
	TeammateIdle: false,
	ConfigChange: true,
	CwdChanged: false,
	DirectoryAdded: true,
	FileChanged: false,
	PreCompact: true,
	PostCompact: true,
	PreModelSwitch: false,
	PostModelSwitch: false,
	Elicitation: true,
	ElicitationResult: true,
	SessionEnd: true,
};

/** Claude Code: its settings stand in each project (`server/setup`). */
export const claudeCodeSetup: AgentSetup = {
	program: 'claude',
	folder: { at: '.claude', variable: 'CLAUDE_CONFIG_DIR' },
	signs: ['.claude'],
	telemetry: claudeCodeTelemetry,
	limits: ['When a Stop hook fails, the turn ends: the client has no fail-closed there.'],
};
