import type { Generated } from 'kysely';
import type { Json } from '../../base/db/schema.ts';

declare module '../../base/db/schema.ts' {
  interface Database {
    annotations: {
      id: Generated<string>;
      title: string;
      description: string;
      annotation_type: string;
      classification: number;
      /** False: the label was never chosen. */
      marked: boolean;
      audience: 'everyone' | 'groups';
      /** Restricts who may change or delete the annotation, but not who may read it. Named `restricted` in the API. */
      edit_lock: boolean;
      tags: string[];
      author_id: string | null;
      author: string;
      creation_time: number;
      /** `Created` while its mission is a draft. */
      state: Generated<'Ready' | 'Created'>;
      mission_id: string | null;
      /** Part of the mission's time in which the annotation is shown; null if it is always shown. */
      start_time: number | null;
      end_time: number | null;
      /**
       * Anchor: the frame on which the annotation was drawn. `frame_time` is the UTC derived from it last, from which the
       * span was computed.
       */
      sensor_id: Generated<string | null>;
      file_id: Generated<string | null>;
      run: Generated<number | null>;
      pts: Generated<number | null>;
      frame_time: Generated<number | null>;
      /** GeoJSON features. */
      features: Json<unknown>;
      geometries: number;
      vertices: number;
      /** Maintained by a trigger. */
      head_text: Generated<string>;
      revision: Generated<number>;
      epoch: Generated<number>;
      deleted_time: number | null;
      deleted_by: string | null;
      /** True if the deletion of its mission moved the annotation into the bin; restoring the mission restores it too. */
      deleted_with_mission: Generated<boolean>;
    };
    annotation_usergroups: { annotation_id: string; usergroup_id: string };
    /** Locations of its features; `feature` is an index that starts at 0. */
    annotation_shapes: { annotation_id: string; feature: number; shape: string };
    /** Features of an annotation, with as many positions as maps up to this zoom can show. */
    annotation_levels: { annotation_id: string; zoom: number; features: Json<unknown>; vertices: number };
  }
}
