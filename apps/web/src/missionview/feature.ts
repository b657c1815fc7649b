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

/** Fields of a mission that are needed to mark it. */
export type MarkedMission = Pick<Mission, '_id' | 'securityClassification' | 'marked'>;

/** The frame on screen that a new mark would refer to. */
export type Moment = {
  /** Id of the sensor whose player shows the frame. */
  shownId: string;
  sensorName: string;
  platformName: string;
  /** Time of the frame in UTC microseconds. */
  timeUs: number;
  /** Mission and sensor in which the frame is recorded; null for a live stream that is not recorded. */
  recorded: { missionId: string; sensorId: string } | null;
  /** Rights of the mission, or of the platform. */
  rights: Pick<AccessFacts, 'securityClassification' | 'audience' | 'usergroups'>;
};

type Common = {
  /** The first picture is shown or was waited for, so data that it does not need may be loaded. */
  calm: boolean;
  /** Mission that marks are added to; null if the leading stream is not recorded. */
  marked: MarkedMission | null;
  /** Returns the frame on screen; null if there is no picture. */
  moment: () => Moment | null;
};

export type OpenMission = Common & {
  view: 'mission';
  mission: Mission;
  sensors: readonly Sensor[];
  address: Pick<ViewAddress, 'choice' | 'onChoice'>;
  /** Called with the id of an export that the server makes in the background. */
  onOrdered: (exportId: string) => void;
};

export type OpenLive = Common & {
  view: 'live';
  /** Mission into which the leading stream is recorded; null until it is loaded. */
  mission: Mission | null;
  /** All sensors, with names that distinguish them. */
  sensors: readonly { _id: string; name: string }[];
  /** The leading stream; null if none leads. */
  stream: { platform: LivePlatform; sensor: LiveSensor } | null;
  /** Ids of the sensors on screen. */
  watched: readonly string[];
  /** Starts recording the leading stream; null if the user may not. */
  record: (() => void) | null;
  /** Called with the id of an export that the server makes in the background. */
  onOrdered: (exportId: string) => void;
};

/** The open view: a mission, or live streams. */
export type OpenView = OpenMission | OpenLive;

/** Additions of a feature to the open view. Each object must remain the same while its content does not change. */
export type InView = {
  marks?: readonly TimelineMark[];
  selection?: SelectionControl;
  hits?: TimelineHits | undefined;
  spans?: TimelineSpans | undefined;
  overlay?: Overlay | null;
  /** Overlay drawn below the overlays of the page. */
  underlay?: Overlay;
  /** Content drawn over the pictures. */
  guest?: PictureGuest | null;
  mapQuery?: MapQueryControl;
  /**
   * Commands by name, called by keys, buttons and the phone's menu with the marks that are on the timeline at that
   * moment.
   */
  commands?: Readonly<Record<string, (marks: readonly TimelineMark[]) => void>>;
  phoneTab?: PhoneTab | null;
  /** Content next to the tabs on a phone. */
  phoneMark?: ReactNode;
  dialogs?: ReactNode;
};

/** Groups of buttons in the bar of the view, from left to right. */
export const ACTION_GROUPS = ['people', 'marks', 'span', 'drawing'] as const;

export type ViewAction = {
  group: (typeof ACTION_GROUPS)[number];
  /** Whether the button is also shown in the bar on a phone. */
  onPhone?: true;
  Button: ComponentType<{ view: OpenView }>;
};

/** Entry of the marks menu on a phone. */
export type MenuLine = {
  command: string;
  label: string;
  icon: string;
  /** Whether the entry is offered in this view; if omitted, it always is. */
  isOffered?: (view: OpenView) => boolean;
};

/**
 * All additions of a feature to the mission view and the view of live streams. Its code is loaded together with the
 * view, so panels, dialogs and drawing should be loaded `later`. docs/add-something.md shows an example.
 */
export type ViewFeature = {
  id: string;
  keys?: readonly KeyLine[];
  menu?: readonly MenuLine[];
  actions?: readonly ViewAction[];
  useInView?: (view: OpenView) => InView;
  /** Wraps all content of the view. */
  Around?: ComponentType<{ view: OpenView; children: ReactNode }>;
  /** Texts in Activity for actions of the audit log. */
  activityTexts?: Readonly<Record<string, string>>;
};

/**
 * Containers of a tab: `strip` is placed at the left end of the panel's toolbar, `panel` are the properties of the
 * element that holds its content.
 */
export type TabParts = { strip: ReactNode; panel: TabPanelProps; mission: Mission | null };

/** A tab below the stage. Its code is loaded with the page, before any view is open. */
export type ViewTab = TabName & {
  /** Renders the panel. `mission` is the open mission. */
  content: (parts: TabParts) => ReactNode;
  /**
   * Keeps the panel mounted, though hidden, while another tab is chosen, since the page needs its data. Other panels
   * are removed.
   */
  stays?: true;
  /** Whether this installation offers the tab, by GET info; if omitted, every installation does. */
  isOffered?: (info: Info) => boolean;
};
