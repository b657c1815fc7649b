// @vitest-environment jsdom
import type { MapLayer, TileFile } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { TilesPanel } from './TilesPanel.tsx';

// Shows the dialog keeping/TilesPanel.tsx ConfirmDialog

afterEach(cleanup);

const layer: MapLayer = {
  ...{ _id: 'c0ffeec0ffeec0ff', title: 'Harbour', attribution: '', kind: 'raster', tileLayer: '/t/{z}/{x}/{y}' },
  ...{ minZoom: 3, maxZoom: 14, bounds: null, vectorLayers: [] },
};
const good: TileFile = { _id: layer._id, name: 'harbour.mbtiles', sizeBytes: 4096, layer, fault: null };
const bad: TileFile = {
  _id: 'badbadbadbadbad0',
  name: 'b.pmtiles',
  sizeBytes: 1,
  layer: null,
  fault: 'it is cut short',
};

it('lists the files with what is wrong with one, and removes one after a question', async () => {
  let files = [good, bad];
  const { api } = fakeApi({
    'GET /map/files': () => ({ folder: '/data/tiles', files }),
    'DELETE /map/files/:layer': () => {
      files = [bad];
      return { message: '' };
    },
  });
  show(<TilesPanel />, { api });

  expect(await screen.findByText('3 to 14')).toBeDefined();
  expect(screen.getByText('Cannot be shown: it is cut short')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Remove harbour.mbtiles' }));
  expect(await screen.findByText('Remove the map layer Harbour?')).toBeDefined();
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));

  expect(await screen.findByText('harbour.mbtiles was removed.')).toBeDefined();
  expect(screen.queryByText('3 to 14')).toBeNull();
});

it('says what maps draw while there is no layer', async () => {
  const { api } = fakeApi({ 'GET /map/files': () => ({ folder: '/data/tiles', files: [] }) });
  show(<TilesPanel />, { api });

  expect(await screen.findByText('No map layers yet')).toBeDefined();
});
