import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** Titled moments of missions. */
    bookmarks: {
      id: Generated<string>;
      mission_id: string;
      /** Null if the sensor no longer exists. */
      sensor_id: string | null;
      /** The frame: file, run of its clock and PTS. All null until the recording has been read. */
      file_id: string | null;
      run: number | null;
      pts: number | null;
      /** Time of the frame when it was last determined, in UTC microseconds. */
      last_time: number;
      title: string;
      text: string;
      color: string;
      tags: string[];
      /** Name of the picture chosen by the author, in the directory pictures/{mission}. */
      thumbnail: string | null;
      author_id: string | null;
      author: string;
      editor: string;
      created: number;
      revision: Generated<number>;
      deleted_time: Generated<number | null>;
    };
  }
}
