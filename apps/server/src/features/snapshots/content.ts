import type { Actor } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Content, ContentFile } from '../../base/items/content.ts';
import { iso, PICTURE_MAX_BYTES, pictureTexts } from '../../base/items/content-files.ts';
import { visibleDocuments } from '../../base/items/visibility.ts';
import { fileBytes } from '../../base/storage/file-bytes.ts';
import { overlaysKey } from '../../base/storage/snapshot-overlays.ts';
import { anchorIn } from '../../media/anchors/frame-places.ts';
import { type SnapshotArchiveDeps, snapshotArchive } from './archive.ts';

/** The content functions of the snapshot's document. */
type Document = Required<Pick<Content, 'read' | 'shown' | 'pictures'>> & {
  filesWith: (
    actor: Actor,
    id: string,
    further: (name: string) => { files: readonly ContentFile[]; about: object },
  ) => AsyncGenerator<ContentFile>;
};

type Deps = SnapshotArchiveDeps & { document: Document };

export function snapshotContent({ db, storage, document, createDocument, imported }: Deps): Content {
  const rowsOf = (tx: Db, ids: readonly string[]) =>
    asSystem(tx, 'case')
      .selectFrom('snapshots')
      .where('document_id', 'in', [...ids])
      .selectAll()
      .execute();

  return {
    kind: 'snapshot',
    table: 'documents',
    item: 'document',
    gone: null,

    async missionsOf(tx, ids) {
      return (await rowsOf(tx, ids)).flatMap(({ mission_id }) => mission_id ?? []);
    },

    async read(tx, actor, id) {
      const [row] = await rowsOf(tx, [id]);
      const own = row && (await document.read(tx, actor, id));
      return own && { ...own, startTime: row.taken_time };
    },

    async shown(tx, ids) {
      const [rows, documents] = await Promise.all([rowsOf(tx, ids), document.shown(tx, ids)]);
      const byId = new Map(documents.map((one) => [one.id, one]));
      return rows.flatMap((row) => {
        const own = byId.get(row.document_id);
        const { mission_id: missionId, sensor_id: sensorId, sensor_name: name, picture } = row;
        return own === undefined
          ? []
          : {
              ...{ ...own, missionId, sensors: [{ id: sensorId, name }], picture },
              overlays: row.overlays_sha256 !== null,
              frames: [{ sensorId, anchor: anchorIn(row) }],
              times: ([utc = null]) => ({ startTime: utc ?? row.taken_time, endTime: null, spans: [] }),
            };
      });
    },

    async *files(actor, id) {
      const row = await visibleDocuments(db, actor)
        .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
        .where('documents.id', '=', id)
        .selectAll('snapshots')
        .executeTakeFirst();
      yield* document.filesWith(actor, id, (name) => {
        if (row === undefined) return { files: [], about: {} };
        const { overlays_sha256: sha256 } = row;
        const second = sha256 !== null && { file: `${name}.overlays.jpg`, sha256, madeBy: pictureTexts.overlays };
        const snapshot = {
          ...{ sensor: row.sensor_name, taken: iso(row.taken_time), picture: row.picture, telemetry: row.telemetry },
          ...(second && { overlays: second }),
          frame: row.file_id === null ? null : { file: row.file_id, run: row.run, pts: row.pts },
        };
        const file = second && { name: second.file, bytes: () => storage.read(overlaysKey(id)), sha256: second.sha256 };
        return { files: file ? [file] : [], about: { snapshot } };
      });
    },

    async pictures(actor, id) {
      const [{ own }, row] = await Promise.all([
        document.pictures(actor, id),
        visibleDocuments(db, actor)
          .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
          .where('documents.id', '=', id)
          .select('snapshots.overlays_bytes')
          .executeTakeFirst(),
      ]);
      const isSmall = (row?.overlays_bytes ?? Number.POSITIVE_INFINITY) <= PICTURE_MAX_BYTES;
      const bytes = isSmall ? await fileBytes(storage, overlaysKey(id)) : null;
      return { own, overlays: bytes && { type: 'image/jpeg', bytes } };
    },

    report: { word: 'Snapshot' },
    archive: snapshotArchive({ db, storage, createDocument, imported }),
  };
}
