/** One moment of a sidecar: values by ST 0601 tag, in the units of the standard. */
export type SidecarRow = {
  timeUs: number;
  values: { [tag: number]: number | string };
  /** Its time is within another track of its file, which cannot be true of one vehicle. */
  isCovered?: boolean;
};
