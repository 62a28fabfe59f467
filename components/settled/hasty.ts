/** Said of a press that was dropped because its place had just come or moved. */
export const HASTY = 'moved: press again';
