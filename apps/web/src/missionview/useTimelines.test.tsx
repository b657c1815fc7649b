// @vitest-environment jsdom
import { getSensorTimeline, type Sensor } from '@osprey/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { type Api, ApiContext } from '../api/api.ts';
import { sensorRow, timelineOf } from '../testing/view-services.ts';
import { useTimelines } from './useMissionServices.ts';

it('knows no recording any more of a sensor whose last file was removed', async () => {
  const sensor = sensorRow();
  const queries = new QueryClient();
  const api: Api = {
    call: async (call) => call.answer.parse(call.path === getSensorTimeline.path && timelineOf(sensor)),
  };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>
      <ApiContext value={api}>{children}</ApiContext>
    </QueryClientProvider>
  );
  const { result, rerender } = renderHook((sensors: readonly Sensor[]) => useTimelines(sensors), {
    wrapper,
    initialProps: [sensor],
  });
  await vi.waitFor(() => expect(result.current[0]?.timeline).not.toBeNull());

  rerender([{ ...sensor, hlsProps: null, startTime: null, endTime: null }]);

  expect(result.current[0]?.timeline).toBeNull();
});
