import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** Titled moments of missions. */
    bookmarks: {
      id: Generated<string>;
      mission_id: string;
      /** Null: the sensor is gone. */
      sensor_id: string | null;
      /** The frame: file, run of its clock and PTS. All null until the recording has been read. */
      file_id: string | null;
      run: number | null;
      pts: number | null;
      /** UTC microseconds that the frame had when it was last asked for. */
      last_time: number;
      title: string;
      text: string;
      color: string;
      tags: string[];
      /** Name of the picture that its maker chose, below pictures/{mission}. */
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
