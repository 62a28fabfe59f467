/** A gate's name for people, from its name in verdicts. */
export const gateTitle = (id: string): string => id.replaceAll('-', ' ');
