// @vitest-environment jsdom
import type { Classification } from '@osprey/contract';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { LabelBar } from '../shell/LabelBar.tsx';
import { fakeApi, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { PlatformsFile } from './PlatformsFile.tsx';

afterEach(cleanup);

const changed = (platform: string, securityClassification: Classification) => ({
  kind: 'added',
  platform,
  securityClassification,
  marked: true,
  fields: [],
});

it('marks each platform that a file would change, and itself as high as the highest of them', async () => {
  const result = {
    ...{ valid: true, message: '', errors: [], warnings: [], unchanged: 0, needsReason: false, revision: '' },
    changes: [changed('KEA-1', 'RESTRICTED'), changed('KEA-2', 'SECRET')],
  };
  const { api } = fakeApi({ 'GET /platformsConfig/versions': () => [], 'POST /upload/platformsConfig': () => result });
  show(
    <>
      <LabelBar />
      <PlatformsFile onClose={() => undefined} />
    </>,
    { api },
  );

  const files = [new File(['platforms: []'], 'platforms.yml')];
  fireEvent.change(await screen.findByTestId('files-the configuration'), { target: { files } });

  expect(await screen.findByText('RESTRICTED')).toBeDefined();
  // The second platform, the dialog, and the label bar.
  await waitFor(() => expect(screen.getAllByText('SECRET')).toHaveLength(3));
});

it('speaks of one platform as of one', async () => {
  const result = {
    ...{ valid: true, message: '', errors: [], warnings: [], unchanged: 1, needsReason: false, revision: '' },
    changes: [],
  };
  const version = { version: 1, created: 1_700_000_000_000_000, author: 'admin', platforms: 1, current: false };
  const { api } = fakeApi({
    'GET /platformsConfig/versions': () => [version],
    'POST /platformsConfig/versions/:version/restore': () => result,
  });
  show(<PlatformsFile onClose={() => undefined} />, { api });

  expect(await screen.findByText('Nov 14 2023, 22:13 Z by admin, 1 platform')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Restore Version 1' }));

  expect(await screen.findByText('1 stays as it is.')).toBeDefined();
});

it('says in the words of the specification that a configuration could not be sent', async () => {
  const { api } = fakeApi({
    'GET /platformsConfig/versions': () => [],
    'POST /upload/platformsConfig': refusing('unavailable'),
  });
  show(<PlatformsFile onClose={() => undefined} />, { api });

  const files = [new File(['platforms: []'], 'platforms.yml')];
  fireEvent.change(await screen.findByTestId('files-the configuration'), { target: { files } });

  expect(await screen.findByText(/^File upload error - ./)).toBeDefined();
});
