import { addTileFile, listTileFiles, removeTileFile } from '@osprey/contract';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { TileFiles } from './tile-files.ts';
import type { TileSets } from './tile-sets.ts';

export type TileFileRoutesDeps = Http & {
  sets: TileSets;
  files: TileFiles;
  /** Notifies open maps to request the layers again. */
  changed: () => void;
};

/** Routes by which administrators manage the files of the site's map layers. */
export function tileFileRoutes(deps: TileFileRoutesDeps): void {
  const { sets, files, changed } = deps;

  callRoute(deps, listTileFiles, async () => ({ folder: sets.folder, files: await sets.files() }));

  callRoute(deps, addTileFile, async ({ input: { body }, actor, audit }) => {
    const file = await files.add(actor, body.upload);
    await audit.write({ action: 'tiles.manage', result: `added ${file.name}` });
    changed();
    return file;
  });

  callRoute(deps, removeTileFile, async ({ input: { params }, audit }) => {
    const name = await files.remove(params.layer);
    await audit.write({ action: 'tiles.manage', result: `removed ${name}` });
    changed();
    return { message: `The map layer of ${name} was removed.` };
  });
}
