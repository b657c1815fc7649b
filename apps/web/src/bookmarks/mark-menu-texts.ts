/** Fetched with the round button of a phone. */
export const markMenuTexts = {
  open: 'More marks',
  bookmark: 'Bookmark with a title…',
  snapshot: 'Take a snapshot…',
  setIn: 'Set In here',
  setOut: 'Set Out here',
  export: 'Export clip…',
};
