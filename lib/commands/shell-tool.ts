/** The agent shell's name among tools: calls, verdicts and approvals of its lines carry it. */
export const SHELL_TOOL = 'AgentShell';
