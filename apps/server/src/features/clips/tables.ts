import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** Saved time spans of missions. */
    clips: {
      id: Generated<string>;
      mission_id: string;
      title: string;
      note: string;
      tags: string[];
      author_id: string | null;
      author: string;
      editor: string;
      created: number;
      revision: Generated<number>;
    };
    /** Span of each sensor in a clip. */
    clip_cuts: {
      clip_id: string;
      position: number;
      /** Null if the sensor no longer exists. */
      sensor_id: string | null;
      /** First and last frame: file, run of its clock and PTS. Null until the recording has been read. */
      in_file: string | null;
      in_run: number | null;
      in_pts: number | null;
      out_file: string | null;
      out_run: number | null;
      out_pts: number | null;
      /** Times of these frames when they were last determined, in UTC microseconds. */
      in_time: number;
      out_time: number;
    };
  }
}
