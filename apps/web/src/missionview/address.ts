import type { RefObject } from 'react';

/** State of a mission view in its address besides mission and time. */
export type ViewChoice = {
  /** Leading sensor; null until chosen. */
  sensorId: string | null;
  /** Sensors on screen, in the order of the mission; null for those that are shown at first. */
  shownIds: readonly string[] | null;
  /** The sensor whose KLV health is open. */
  healthOf: string | null;
};

/** State that a control of the view changes. */
export type Chosen = Partial<Omit<ViewChoice, 'sensorId'>>;

/** A place that the user went to: by a link, a row of the table, or back and forth. A new object each time. */
export type Visit = { sensorId: string | null; timeUs: number | null };

/** How a mission view reads and writes the address of its page. */
export type ViewAddress = {
  visit: Visit;
  choice: ViewChoice;
  onChoice: (fields: Chosen) => void;
  /** Called when another sensor leads; it may be called during rendering. */
  onLead: (sensorId: string | null) => void;
  onTimeChange: (timeUs: number) => void;
  /** Set while the view is there: its moment to the microsecond, for shared links. */
  timeNow: RefObject<(() => number) | null>;
};
