/** One moment of a sidecar: values by ST 0601 tag, in the units of the standard. */
export type SidecarRow = {
  timeUs: number;
  values: { [tag: number]: number | string };
  /** The time lies within another track of the same file, which is impossible for one vehicle. */
  isCovered?: boolean;
};
