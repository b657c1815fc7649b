/** One row of a sidecar: values by ST 0601 tag, in the units of the standard. */
export type SidecarRow = {
  timeUs: number;
  values: { [tag: number]: number | string };
  /** True if the time lies within another track of the same file, which is impossible for a single vehicle. */
  isCovered?: boolean;
};
