import type { RefObject } from 'react';

/** State of a mission view in its address, in addition to mission and time. */
export type ViewChoice = {
  /** Leading sensor; null until chosen. */
  sensorId: string | null;
  /** Sensors on screen, in the order of the mission; null for the default ones. */
  shownIds: readonly string[] | null;
  /** The sensor whose KLV health is open. */
  healthOf: string | null;
};

/** State that controls of the view can change. */
export type Chosen = Partial<Omit<ViewChoice, 'sensorId'>>;

/**
 * A sensor and time that the user navigated to: by a link, a row of the table, or back and forward. A new object each
 * time.
 */
export type Visit = { sensorId: string | null; timeUs: number | null };

/** Access of a mission view to the address of its page. */
export type ViewAddress = {
  visit: Visit;
  choice: ViewChoice;
  onChoice: (fields: Chosen) => void;
  /** Called when another sensor becomes the leading one, possibly during rendering. */
  onLead: (sensorId: string | null) => void;
  onTimeChange: (timeUs: number) => void;
  /** Set while the view is mounted: returns its current time in microseconds, for shared links. */
  timeNow: RefObject<(() => number) | null>;
};
