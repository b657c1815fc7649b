import type { CasePartKind } from '@osprey/contract';
import type { Generated } from 'kysely';
import type { Json } from '../../base/db/schema.ts';

declare module '../../base/db/schema.ts' {
  interface Database {
    cases: {
      id: Generated<string>;
      number: Generated<number>;
      name: string;
      description: string;
      /** The chosen minimum label, raised by texts that are written into the case. */
      own_classification: number;
      /** The highest of its own label and those of its parts; maintained by triggers. */
      classification: number;
      /** False: the label was never chosen. */
      marked: boolean;
      audience: 'everyone' | 'groups';
      owner_id: string | null;
      owner: string;
      created: number;
      changed: number;
      held: Generated<boolean>;
      held_time: Generated<number | null>;
      held_by: Generated<string | null>;
      revision: Generated<number>;
      epoch: Generated<number>;
      deleted_time: Generated<number | null>;
      deleted_by: Generated<string | null>;
    };
    case_usergroups: { case_id: string; usergroup_id: string };
    case_editors: { case_id: string; user_id: string };
    case_parts: {
      id: Generated<string>;
      case_id: string;
      position: number;
      kind: CasePartKind;
      /**
       * Id of the row in the table of its kind; for a track, of the sensor. Null for notes and deleted sources.
       * Maintained as described in migration 0065.
       */
      subject_id: string | null;
      /** The mission that decides the rights of its contents, even after these have been deleted. */
      mission_id: string | null;
      /** Start and end of a track; for other kinds, the last known times. */
      start_time: number | null;
      end_time: number | null;
      /** Title of a note or track; for other kinds, the last known title. */
      title: string;
      text: string | null;
      remark: string;
      /** The label of its source, kept by triggers; 1 for notes. */
      classification: Generated<number>;
      author_id: string | null;
      author: string;
      added: number;
      revision: Generated<number>;
      removed_time: Generated<number | null>;
      removed_by: Generated<string | null>;
      /**
       * Time at which the row that decides the part's rights was deleted, and the facts that determined who could read
       * it.
       */
      gone_time: Generated<number | null>;
      gone_audience: Generated<'everyone' | 'groups' | null>;
      gone_groups: Generated<string[]>;
    };
    case_comments: {
      id: Generated<string>;
      case_id: string;
      author_id: string | null;
      author: string;
      text: string;
      created: number;
      edited: Generated<number | null>;
      struck_time: Generated<number | null>;
      struck_by: Generated<string | null>;
    };
    /** Versions of cases that were exported as packages. */
    case_exports: {
      id: Generated<string>;
      case_id: string;
      version: number;
      created_time: number;
      created_by_id: string | null;
      created_by: string;
      /** Ceiling of the session that ordered it. */
      ceiling: Generated<number>;
      classification: number;
      /** Parts, order and texts at the time of the export. */
      frozen: Json<unknown>;
      /** True if parts were left out because the creator could not read them. */
      left_out: Generated<boolean>;
      state: 'Making' | 'Ready' | 'Failed' | 'WaitsForRelease' | 'Removed';
      message: string | null;
      size_bytes: number | null;
      sha256: string | null;
      storage_key: string | null;
      downloads: Generated<number>;
      expires_time: number;
      released_by_id: Generated<string | null>;
      released_by: Generated<string | null>;
      released_time: Generated<number | null>;
      job_id: string | null;
    };
  }
}
