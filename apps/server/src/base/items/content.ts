import type { Actor, CasePart, CasePartKind, FrameAnchor } from '@osprey/contract';
import type { z } from 'zod';
import type { Db } from '../access/as-system.ts';
import type { ZipSource } from '../storage/zip-writer.ts';
import type { FrameColumns, NamedFrame } from './archived.ts';
import type { MissionFacts } from './mission-facts.ts';
import type { storedItems } from './table.ts';

/** Kinds of contents provided by features. Notes and tracks belong to cases themselves. */
export type ContentKind = Exclude<CasePartKind, 'note' | 'track'>;

/** West, south, east, north in degrees on WGS 84. */
export type Box = NonNullable<CasePart['extent']>;

/** The fields that a case keeps of a content that is added to it. */
export type ReadContent = {
  title: string;
  /** Id of the mission whose rights it has, or whose content it is; null if it belongs to none. */
  missionId: string | null;
  startTime: number | null;
  endTime: number | null;
  /** Rank of its label, 1 to 5. */
  classification: number;
};

/** A moment of a sensor, given by the frame that shows it. `anchor` is null if it has none. */
export type ContentFrame = { sensorId: string | null; anchor: FrameAnchor | null };

/** A sensor during a span of its clock, UTC microseconds; a moment has the same start and end. */
export type ContentSpan = { sensorId: string; startUs: number; endUs: number };

export type ContentTimes = {
  startTime: number | null;
  endTime: number | null;
  /** Sensors and times whose telemetry and pictures show where the content is and what it looks like. */
  spans: readonly ContentSpan[];
};

/** A content as shown in a list. */
export type ShownContent = {
  id: string;
  title: string;
  /** When it was moved to the bin; null outside it. */
  deletedTime: number | null;
  missionId: string | null;
  /** For a sensor that no longer exists, `name` is the last known one. */
  sensors: readonly { id: string | null; name: string | null }[];
  /** Bounding boxes of its own shapes. */
  places: readonly Box[];
  /** Path of its own picture, relative to the server's address. */
  thumbnailUrl: string | null;
  /** Origin of a snapshot's picture. */
  picture: CasePart['picture'];
  overlays: boolean;
  /**
   * Frames that determine its times. `times` computes them from the frames' UTC, which is null if the frame no longer
   * exists.
   */
  frames: readonly ContentFrame[];
  times: (utc: readonly (number | null)[]) => ContentTimes;
};

/** A file of a content, as an entry in a package of a case. */
export type ContentFile = Pick<ZipSource, 'name' | 'bytes' | 'onRead'> & {
  /** Stored hash. A file that has changed since is not packed. */
  sha256?: string;
};

export type Place = { lon: number; lat: number };

/** Files that are cut from recordings. */
export type CutFiles = {
  /** Estimated size. */
  sizeBytes: number;
  entries: () => AsyncIterable<ContentFile>;
  /** Positions of its platforms, one line for each sensor. */
  tracks: () => AsyncIterable<AsyncIterable<Place>>;
};

/** With `mp4`, cut recordings are also packed as MP4 files. */
export type Packed = { mp4: boolean };

export type ContentPicture = { type: string; bytes: Buffer };

/**
 * Everything that a mission, a case or an archive needs from one kind of content. Each feature exports its own, which
 * its entry in `compose/features.ts` names; cases and archives loop over the list and know no particular kind.
 */
export type Content = {
  kind: ContentKind;
  /** Table of its rows. If two kinds share a table, the more specific kind comes first in the list. */
  table: 'bookmarks' | 'clips' | 'annotations' | 'documents';
  /** The item whose label and audience apply: the content itself, or its mission. */
  item: keyof typeof storedItems;
  /**
   * SQL that selects its first and last time, which the case keeps along with the title when the content's row is
   * removed; $1 is its id. A trigger of the table has the same text as an argument (migration 0065). Null if the part
   * stores its times already.
   */
  gone: string | null;
  /** Ids of the missions that the contents belong to. They are locked before any rows of contents. */
  missionsOf: (tx: Db, ids: readonly string[]) => Promise<string[]>;
  /**
   * Reads the content as the actor may currently see it. Undefined if it is hidden, absent, or of another kind in the
   * same table.
   */
  read: (tx: Db, actor: Actor, id: string) => Promise<ReadContent | undefined>;
  /** Contents that exist among the ids, also in the bin. The caller has checked who may see them. */
  shown: (db: Db, ids: readonly string[]) => Promise<ShownContent[]>;
  /**
   * Files of a content, as the actor may read them now.
   *
   * @throws AppError notFound, ruleRefused where it cannot be packed
   */
  files: (actor: Actor, id: string, how: Packed) => AsyncIterable<ContentFile>;
  /** For contents whose files are cut from recordings: the same files, with their size and their tracks. */
  cut?: (actor: Actor, id: string, how: Packed) => Promise<CutFiles>;
  /** Returns the content's own small pictures for a report. If absent, the picture at `thumbnailUrl` is used. */
  pictures?: (actor: Actor, id: string) => Promise<{ own: ContentPicture | null; overlays: ContentPicture | null }>;
  report: {
    /** Name of the kind, as shown in reports. */
    word: string;
  };
  /** Export and import of this kind in archives of missions. Absent if missions have no contents of this kind. */
  archive?: ArchivedContent;
};

export type Contents = readonly Content[];

/** Contents of one kind of a mission that an archive will hold: those that the actor may read. */
export type ArchivePlan = {
  /** Ids of contents with rights of their own, with the ranks of their labels. */
  listed: readonly { id: string; classification: number }[];
  /** Sizes of the contents' own files, in bytes. */
  sizes: readonly number[];
  /** Maximum number of files that their list is split into. */
  lists: number;
};

export type ArchivedContent = {
  /** Plural name of the kind, used in the names of its lists and in the manifest. */
  name: string;
  /** Maximum number in one mission. */
  max: number;
  plan: (actor: Actor, missionId: string) => Promise<ArchivePlan>;
  /**
   * Yields the entries of the list and the contents' own files. Contents that were deleted or whose label was raised
   * meanwhile are left out.
   */
  write: (writing: ArchiveWriting) => AsyncIterable<{ one: object } | { entry: ZipSource }>;
  /**
   * Checks the list before anything is created from it. Returns the total size of the contents' own files, in bytes.
   * @throws AppError badArchive
   */
  check: (reading: ArchiveReading) => Promise<number>;
  /** Checks the contents' own files. @throws AppError badArchive */
  checkFiles?: (reading: ArchiveReading, signal: AbortSignal) => Promise<void>;
  /**
   * Creates the contents; repeated attempts create each only once. Returns the number of contents that the actor may
   * not create.
   */
  make: (making: ArchiveMaking) => Promise<number>;
};

export type StoredSum = { path: string; sizeBytes: number; sha256: string };

export type ArchiveWriting = {
  actor: Actor;
  missionId: string;
  /** Ids listed in the plan. */
  ids: readonly string[];
  /** Rank of the archive's label. */
  rank: number;
  /** Paths of the originals by file id. */
  originals: ReadonlyMap<string, string>;
  /**
   * Returns a stored file as an archive entry with this name in the mission's directory. `sum` may be called once the
   * entry is written.
   */
  store: (key: string, name: string) => { entry: ZipSource; sum: () => StoredSum };
};

/** Reads the list of one kind of content in the archive of a mission, and the archive's files. */
export type ArchiveReading = {
  /** Yields the entries of the list one by one. @throws AppError badArchive */
  list: <One>(schema: z.ZodType<One>) => AsyncGenerator<One>;
  /** @throws AppError badArchive where the file is missing */
  sizeOf: (path: string) => number;
  bytes: (path: string) => AsyncIterable<Uint8Array>;
};

export type ArchiveMaking = ArchiveReading & {
  actor: Actor;
  /** The audit of the request (see base/audit). */
  audit: { write(note: { action: string }): Promise<void> };
  mission: MissionFacts;
  /** Returns the id for the row at this position in the list. It is the same in every attempt. */
  idOf: (index: number) => string;
  /** Returns the storage key of a file until the row with this id is created. */
  keyOf: (id: string) => string;
  /** Ids of the mission's sensors, by name. */
  sensorIds: ReadonlyMap<string, string>;
  /** Returns the columns of a frame; they are null if the archive does not contain its file. */
  frameOf: (frame: NamedFrame | null) => FrameColumns;
};
