import type { Actor, CasePart, CasePartKind, FrameAnchor } from '@osprey/contract';
import type { z } from 'zod';
import type { Db } from '../access/as-system.ts';
import type { ZipSource } from '../storage/zip-writer.ts';
import type { FrameColumns, NamedFrame } from './archived.ts';
import type { MissionFacts } from './mission-facts.ts';
import type { storedItems } from './table.ts';

/** Kinds of contents that features make; notes and tracks are those of cases themselves. */
export type ContentKind = Exclude<CasePartKind, 'note' | 'track'>;

/** West, south, east, north in degrees on WGS 84. */
export type Box = NonNullable<CasePart['extent']>;

/** The fields that a case keeps of a content that is added to it. */
export type ReadContent = {
  title: string;
  /** The mission whose rights it has, or whose content it is; null without one. */
  missionId: string | null;
  startTime: number | null;
  endTime: number | null;
  /** Rank of its label. */
  classification: number;
};

/** A moment of a sensor, by the frame that shows it; null where it has none. */
export type ContentFrame = { sensorId: string | null; anchor: FrameAnchor | null };

/** A sensor during a span of its clock, UTC microseconds; a moment has the same start and end. */
export type ContentSpan = { sensorId: string; startUs: number; endUs: number };

export type ContentTimes = {
  startTime: number | null;
  endTime: number | null;
  /** Sensors whose telemetry and pictures say where it is, and what it looks like. */
  spans: readonly ContentSpan[];
};

/** A content as a list shows it. */
export type ShownContent = {
  id: string;
  title: string;
  /** When it was moved to the bin; null outside it. */
  deletedTime: number | null;
  missionId: string | null;
  /** `name`: as it was last known, for a sensor that is gone. */
  sensors: readonly { id: string | null; name: string | null }[];
  /** Boxes of shapes of its own. */
  places: readonly Box[];
  /** Path of a picture of its own, below the server's own address. */
  thumbnailUrl: string | null;
  /** Origin of the picture of a snapshot. */
  picture: CasePart['picture'];
  overlays: boolean;
  /** Frames that date it, and its times by their UTC, which is null where nothing shows the frame any more. */
  frames: readonly ContentFrame[];
  times: (utc: readonly (number | null)[]) => ContentTimes;
};

/** A file of a content in a package of a case. */
export type ContentFile = Pick<ZipSource, 'name' | 'bytes' | 'onRead'> & {
  /** Kept hash: a file that is another one by now is not packed. */
  sha256?: string;
};

export type Place = { lon: number; lat: number };

/** Files that are cut from recordings. */
export type CutFiles = {
  /** Estimated size. */
  sizeBytes: number;
  entries: () => AsyncIterable<ContentFile>;
  /** Where its platforms were, a line for each sensor. */
  tracks: () => AsyncIterable<AsyncIterable<Place>>;
};

/** `mp4`: what is cut also as MP4 files. */
export type Packed = { mp4: boolean };

export type ContentPicture = { type: string; bytes: Buffer };

/**
 * All that is asked of one kind of content: of a mission, a case or an archive. Each feature exports its own, and its entry
 * in `compose/features.ts` names it; cases and archives loop over the list and know no kind.
 */
export type Content = {
  kind: ContentKind;
  /** Table of its rows. A kind whose rows are those of another kind comes before that one in the list. */
  table: 'bookmarks' | 'clips' | 'annotations' | 'documents';
  /** The item whose label and audience it has: itself, or its mission. */
  item: keyof typeof storedItems;
  /**
   * SQL that gives its first and its last time, which stay in a case with the title when its row is removed; $1 is its id.
   * A trigger of its table has the same text as an argument (migration 0065). Null: the part has its times already.
   */
  gone: string | null;
  /** Ids of the missions that the contents belong to. They are locked before any rows of contents. */
  missionsOf: (tx: Db, ids: readonly string[]) => Promise<string[]>;
  /** As the actor may read it now; undefined where it is hidden or absent, or of another kind in the same table. */
  read: (tx: Db, actor: Actor, id: string) => Promise<ReadContent | undefined>;
  /** Contents that exist among the ids, also in the bin. The caller has checked who may see them. */
  shown: (db: Db, ids: readonly string[]) => Promise<ShownContent[]>;
  /**
   * Files of a content, as the actor may read them now.
   *
   * @throws AppError notFound, ruleRefused where it cannot be packed
   */
  files: (actor: Actor, id: string, how: Packed) => AsyncIterable<ContentFile>;
  /** Where its files are cut from recordings: the same, with their size and their tracks. */
  cut?: (actor: Actor, id: string, how: Packed) => Promise<CutFiles>;
  /** Small pictures of its own in a report; left out: the one at `thumbnailUrl`. */
  pictures?: (actor: Actor, id: string) => Promise<{ own: ContentPicture | null; overlays: ContentPicture | null }>;
  report: {
    /** The kind in words. */
    word: string;
  };
  /** Contents of a mission in an archive of missions; left out: missions have none of this kind. */
  archive?: ArchivedContent;
};

export type Contents = readonly Content[];

/** Contents of one kind of a mission that an archive will hold: those that the actor may read. */
export type ArchivePlan = {
  /** Ids of contents with rights of their own, with the ranks of their labels. */
  listed: readonly { id: string; classification: number }[];
  /** Lengths of files of their own. */
  sizes: readonly number[];
  /** Most files that their list is written to. */
  lists: number;
};

export type ArchivedContent = {
  /** Plural: begins the names of its lists, and is their kind in the manifest. */
  name: string;
  /** Most of one mission. */
  max: number;
  plan: (actor: Actor, missionId: string) => Promise<ArchivePlan>;
  /** Entries of the list, and files of their own as entries: without those deleted or raised meanwhile. */
  write: (writing: ArchiveWriting) => AsyncIterable<{ one: object } | { entry: ZipSource }>;
  /** Reads the list before anything is made of it; returns the bytes of files of their own. @throws AppError badArchive */
  check: (reading: ArchiveReading) => Promise<number>;
  /** Reads the files of their own. @throws AppError badArchive */
  checkFiles?: (reading: ArchiveReading, signal: AbortSignal) => Promise<void>;
  /** Makes them, once however often it is tried. Returns how many the actor may not make. */
  make: (making: ArchiveMaking) => Promise<number>;
};

export type StoredSum = { path: string; sizeBytes: number; sha256: string };

export type ArchiveWriting = {
  actor: Actor;
  missionId: string;
  /** Ids that the plan listed. */
  ids: readonly string[];
  /** Rank of the label of the archive. */
  rank: number;
  /** Paths of the originals by the ids of their files. */
  originals: ReadonlyMap<string, string>;
  /** A stored file as an entry with this name in the folder of the mission; `sum` is called once the entry is written. */
  store: (key: string, name: string) => { entry: ZipSource; sum: () => StoredSum };
};

/** The list of one kind of a mission in an archive, and the files of the archive. */
export type ArchiveReading = {
  /** One by one. @throws AppError badArchive */
  list: <One>(schema: z.ZodType<One>) => AsyncGenerator<One>;
  /** @throws AppError badArchive where the file is missing */
  sizeOf: (path: string) => number;
  bytes: (path: string) => AsyncIterable<Uint8Array>;
};

export type ArchiveMaking = ArchiveReading & {
  actor: Actor;
  /** The audit of the request, as base/audit has it. */
  audit: { write(note: { action: string }): Promise<void> };
  mission: MissionFacts;
  /** Id of a row by its place in the list, the same in each try. */
  idOf: (index: number) => string;
  /** Key of a file until it belongs to the row of this id. */
  keyOf: (id: string) => string;
  /** Sensors of the mission by name. */
  sensorIds: ReadonlyMap<string, string>;
  /** The columns of a frame; empty if the archive does not hold its file. */
  frameOf: (frame: NamedFrame | null) => FrameColumns;
};
