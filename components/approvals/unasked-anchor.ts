/** The place of what was denied unasked on the page of approvals. */
export const UNASKED_ANCHOR = 'unasked';
