import { aisTab } from '../ais/tab.tsx';
import { annotationsTab } from '../annotations/tab.tsx';
import { bookmarksTab } from '../bookmarks/tab.tsx';
import { clipsTab } from '../clips/tab.tsx';
import type { ViewFeature, ViewTab } from '../missionview/feature.ts';
import type { KeyLine } from '../missionview/key-list.ts';

type Listed = {
  /** Tab below the stage, also shown if no mission is open. */
  tab?: ViewTab;
  load: () => Promise<ViewFeature>;
};

/**
 * List of all features in the mission view and in Live. Its order determines that of tabs, keys, overlays and drawings,
 * and of the buttons within a group. Chosen tabs are stored by their index, so a tab that not every installation has
 * must come last.
 */
const list: readonly Listed[] = [
  { load: async () => (await import('../coverage/view-feature.tsx')).coverageFeature },
  { tab: annotationsTab, load: async () => (await import('../annotations/view-feature.tsx')).annotationsFeature },
  { load: async () => (await import('../missions/view-feature.tsx')).mapQueryFeature },
  { tab: bookmarksTab, load: async () => (await import('../bookmarks/view-feature.tsx')).bookmarksFeature },
  { load: async () => (await import('../snapshots/view-feature.tsx')).snapshotsFeature },
  { load: async () => (await import('../missionview/view-feature.tsx')).timelineFeature },
  { tab: clipsTab, load: async () => (await import('../clips/view-feature.tsx')).clipsFeature },
  { load: async () => (await import('../cases/view-feature.tsx')).casesFeature },
  { load: async () => (await import('../platforms/view-feature.tsx')).recordingFeature },
  {
    tab: aisTab(async () => (await import('./AisTabPanel.tsx')).AisTabPanel),
    load: async () => (await import('../ais/view-feature.tsx')).aisFeature,
  },
  { load: async () => (await import('../conference/view-feature.tsx')).conferenceFeature },
];

export const viewTabs: readonly ViewTab[] = list.flatMap(({ tab }) => tab ?? []);

let loaded: readonly ViewFeature[] | null = null;

/**
 * Loads the code of the features, which is bundled with the mission view, since the list of missions does not need it.
 */
export async function loadViewFeatures(): Promise<readonly ViewFeature[]> {
  loaded ??= await Promise.all(list.map(({ load }) => load()));
  return loaded;
}

/** Returns the features that `loadViewFeatures` has loaded. */
export function viewFeatures(): readonly ViewFeature[] {
  if (loaded === null) throw new Error('viewFeatures needs loadViewFeatures before it');
  return loaded;
}

/** Returns the keys of features; none before a view was opened. */
export const keyLines = (): readonly KeyLine[] => (loaded ?? []).flatMap(({ keys = [] }) => keys);

let texts: Readonly<Record<string, string>> | null = null;

/** Returns the features' texts for actions of the audit log; call `loadViewFeatures` first. */
export function activityTexts(): Readonly<Record<string, string>> {
  texts ??= Object.assign({}, ...viewFeatures().map((feature) => feature.activityTexts));
  return texts!;
}
