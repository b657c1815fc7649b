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
      /** The chosen minimum, raised by texts that are written into the case. */
      own_classification: number;
      /** The highest of its own and of its parts; kept by triggers. */
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
      /** Row of the kind, of a track the sensor; null for notes and for what is gone. Migration 0065 keeps it true. */
      subject_id: string | null;
      /** The mission that rights of its contents go by, also when these are gone themselves. */
      mission_id: string | null;
      /** Times of a track; else the last known ones. */
      start_time: number | null;
      end_time: number | null;
      /** Title of notes and tracks; else the last known one. */
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
      /** When the row that the part's rights depended on was deleted, and the facts of who could read that row. */
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
    /** Versions of cases that were packed. */
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
      /** Parts, order and texts as they were. */
      frozen: Json<unknown>;
      /** Parts that its maker could not read are not in it. */
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
