// @vitest-environment jsdom
import type { Classification } from '@osprey/contract';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { LabelBar } from '../app/LabelBar.tsx';
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
  // The second platform, the dialog, and the bar behind it.
  await waitFor(() => expect(screen.getAllByText('SECRET')).toHaveLength(3));
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
