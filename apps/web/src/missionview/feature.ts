import type { AccessFacts, Info, LivePlatform, LiveSensor, Mission, Sensor } from '@osprey/contract';
import type { ComponentType, ReactNode } from 'react';
import type { MapQueryControl } from '../map/map-query.ts';
import type { Overlay } from '../map/overlay.ts';
import type { PictureGuest } from '../player/picture/guest.ts';
import type { SelectionControl, TimelineHits, TimelineMark, TimelineSpans } from '../timeline/marks.ts';
import type { TabName, TabPanelProps } from '../ui/TabStrip.tsx';
import type { ViewAddress } from './address.ts';
import type { KeyLine } from './key-list.ts';
import type { PhoneTab } from './phone-extras.ts';

/** Fields of a mission that marks need. */
export type MarkedMission = Pick<Mission, '_id' | 'securityClassification' | 'marked'>;

/** The frame on screen that a mark would be of. */
export type Moment = {
  /** The sensor whose player shows it. */
  shownId: string;
  sensorName: string;
  platformName: string;
  /** UTC microseconds. */
  timeUs: number;
  /** The mission and its sensor that have the frame; null for a live stream that is not recorded. */
  recorded: { missionId: string; sensorId: string } | null;
  /** Rights of the mission, or of the platform. */
  rights: Pick<AccessFacts, 'securityClassification' | 'audience' | 'usergroups'>;
};

type Common = {
  /** The first picture has had its time: what is not needed for it may be read. */
  calm: boolean;
  /** The mission that marks go into; null: nothing is recorded of the leading stream. */
  marked: MarkedMission | null;
  /** The frame on screen; null where there is no picture. */
  moment: () => Moment | null;
};

export type OpenMission = Common & {
  view: 'mission';
  mission: Mission;
  sensors: readonly Sensor[];
  address: Pick<ViewAddress, 'choice' | 'onChoice'>;
  /** The server makes this export in the background. */
  onOrdered: (exportId: string) => void;
};

export type OpenLive = Common & {
  view: 'live';
  /** The mission that the leading stream is recorded into, once it was read. */
  mission: Mission | null;
  /** All of them, by names that tell them apart. */
  sensors: readonly { _id: string; name: string }[];
  /** The stream that leads; null: none does. */
  stream: { platform: LivePlatform; sensor: LiveSensor } | null;
  /** Ids of the sensors on screen. */
  watched: readonly string[];
  /** Begins to record the leading stream; null for who may not. */
  record: (() => void) | null;
  /** The server makes this export in the background. */
  onOrdered: (exportId: string) => void;
};

/** The mission view or the view of live streams that is open. */
export type OpenView = OpenMission | OpenLive;

/** Additions of a feature to the open view. Each object stays the same while its content does. */
export type InView = {
  marks?: readonly TimelineMark[];
  selection?: SelectionControl;
  hits?: TimelineHits | undefined;
  spans?: TimelineSpans | undefined;
  overlay?: Overlay | null;
  /** Drawn below the overlays of the page. */
  underlay?: Overlay;
  /** Drawn over the pictures. */
  guest?: PictureGuest | null;
  mapQuery?: MapQueryControl;
  /** By name: what keys, buttons and the menu of a phone call, with the marks that the timeline has then. */
  commands?: Readonly<Record<string, (marks: readonly TimelineMark[]) => void>>;
  phoneTab?: PhoneTab | null;
  /** Next to the tabs of a phone. */
  phoneMark?: ReactNode;
  dialogs?: ReactNode;
};

/** Groups of buttons in the bar of the view, from left to right. */
export const ACTION_GROUPS = ['people', 'marks', 'span', 'drawing'] as const;

export type ViewAction = {
  group: (typeof ACTION_GROUPS)[number];
  /** The bar of a phone has room for it. */
  onPhone?: true;
  Button: ComponentType<{ view: OpenView }>;
};

/** A line of the menu of marks on a phone. */
export type MenuLine = {
  command: string;
  label: string;
  icon: string;
  /** Left out: always. */
  isOffered?: (view: OpenView) => boolean;
};

/**
 * All that a feature is in the mission view and in the view of live streams. Its code comes with that of the view, so panels,
 * dialogs and drawing are fetched `later`. docs/add-something.md shows one.
 */
export type ViewFeature = {
  id: string;
  keys?: readonly KeyLine[];
  menu?: readonly MenuLine[];
  actions?: readonly ViewAction[];
  useInView?: (view: OpenView) => InView;
  /** Wraps all that the view draws. */
  Around?: ComponentType<{ view: OpenView; children: ReactNode }>;
  /** Words of Activity for actions of the audit. */
  activityTexts?: Readonly<Record<string, string>>;
};

/** `strip` goes to the left end of the toolbar of the panel, `panel` to the element that holds its content. */
export type TabParts = { strip: ReactNode; panel: TabPanelProps; mission: Mission | null };

/** A tab below the stage. Its code comes with the page, before any view is open. */
export type ViewTab = TabName & {
  /** Draws the panel. `mission` is the one that is open. */
  content: (parts: TabParts) => ReactNode;
  /** The page needs what the panel reads: it stays, hidden, while another tab is chosen. Others are taken away. */
  stays?: true;
  /** Whether this installation has it, by GET info; left out: each has. */
  isOffered?: (info: Info) => boolean;
};
