export type ViewKind = 'mission' | 'live';

/** Keys of a feature, in the notation of the list of keys, each with its command. They share one line of the list. */
export type KeyLine = {
  keys: Readonly<Record<string, string>>;
  text: string;
  /** The only kind of view in which these keys work. */
  only?: ViewKind;
  /** The only kind of view that lists these keys; in the other kind, pressing them explains where they work. */
  listedIn?: ViewKind;
};

type Listed = { keys: readonly string[]; text: string; only?: ViewKind | undefined };

const keysOfView: readonly Listed[] = [
  { keys: ['Space'], text: 'Play or pause' },
  { keys: ['J'], text: 'Slower', only: 'mission' },
  { keys: ['K'], text: 'Pause' },
  { keys: ['L'], text: 'Play, then faster' },
  { keys: ['←', '→'], text: 'Back / forward 10 s' },
  { keys: ['Shift ←', 'Shift →'], text: 'Back / forward 60 s' },
  { keys: [',', '.'], text: 'Previous / next frame', only: 'mission' },
  { keys: ['Home', 'End'], text: 'Jump to start / end' },
  { keys: ['1', '…', '9'], text: 'Make sensor 1-9 the leader' },
  { keys: ['F'], text: 'Full screen' },
  { keys: ['M'], text: 'Map' },
  { keys: ['Shift M'], text: 'Floating map' },
  { keys: ['X'], text: 'Exchange map and picture', only: 'mission' },
  { keys: ['T'], text: 'Telemetry' },
  { keys: ['H'], text: 'KLV health', only: 'mission' },
  { keys: ['U'], text: 'Sound on / off' },
];

const keysOfPage: readonly Listed[] = [
  { keys: ['Shift PgUp', 'Shift PgDn'], text: 'Previous / next mission', only: 'mission' },
  { keys: ['Ctrl ↓'], text: 'Open or close the table', only: 'mission' },
  { keys: ['Escape'], text: 'Close the table, then the mission', only: 'mission' },
  { keys: ['Ctrl K'], text: 'Go to anything' },
  { keys: ['?'], text: 'Show this help' },
];

const keysOfTable: readonly Listed[] = [
  { keys: ['/'], text: 'Search' },
  { keys: ['↑', '↓'], text: 'Previous / next row' },
  { keys: ['→', '←'], text: 'Show / hide the sensors of a row' },
  { keys: ['Enter'], text: 'Open the row' },
  { keys: ['Tab'], text: 'Buttons of the row' },
];

const keysOfDialog: readonly Listed[] = [{ keys: ['Escape'], text: 'Close a menu or dialog' }];

/** Returns the keys that work in a view: its own, those of its features, and those of its page. */
export function keyList(view: ViewKind, features: readonly KeyLine[]): readonly Omit<Listed, 'only'>[] {
  return [...viewLines(view, features), ...linesOf(view, keysOfPage)];
}

export type KeyGroup = { id: 'mission' | 'live' | 'table' | 'everywhere'; lines: readonly Omit<Listed, 'only'>[] };

/** Returns the groups of the list that "?" opens: keys of the open view, or of a mission if none is open, and of all pages. */
export function keyGroups(view: ViewKind | null, features: readonly KeyLine[]): readonly KeyGroup[] {
  const shown = view ?? 'mission';
  const ofMission = keysOfPage.filter(({ only }) => only !== undefined);
  return [
    { id: shown, lines: [...viewLines(shown, features), ...linesOf(shown, ofMission)] },
    { id: 'table', lines: keysOfTable },
    { id: 'everywhere', lines: [...keysOfPage.filter(({ only }) => only === undefined), ...keysOfDialog] },
  ];
}

function viewLines(view: ViewKind, features: readonly KeyLine[]) {
  const ofFeatures = features.map(({ keys, text, only, listedIn = only }) => ({
    ...{ keys: Object.keys(keys), text, only: listedIn },
  }));
  return linesOf(view, [...keysOfView, ...ofFeatures]);
}

const linesOf = (view: ViewKind, lines: readonly Listed[]) =>
  lines.filter(({ only }) => only === undefined || only === view);
