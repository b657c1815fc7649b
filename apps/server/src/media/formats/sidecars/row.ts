/** One moment of a sidecar: values by ST 0601 tag, in the units of the standard. */
export type SidecarRow = {
  timeUs: number;
  values: { [tag: number]: number | string };
  /** It lies within the time of another track of its file: nobody is at two places. */
  isCovered?: boolean;
};
