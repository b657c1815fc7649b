import type { Sensor, SensorTimeline } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { createFrameMaker, emptyFrame } from '../onscreen/frames.ts';
import { spanAt, telemetrySpans } from '../onscreen/playable.ts';
import { createTelemetryStore } from '../onscreen/telemetry-store.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { neighbourRecord } from './record-steps.ts';
import { createTelemetryDriver } from './telemetry-driver.ts';
import { useFetchPage, useFetchSet, useViewCount } from './useSensorCalls.ts';

type Options = { sensor: Sensor; timeline: SensorTimeline | null; timelineFailed: boolean };

/** Connects telemetry without a picture to the mission clock: publishes the record of each moment of the clock. */
export function useTelemetryPlayback({ sensor, timeline, timelineFailed }: Options) {
  const { clock, frames, stores } = useViewServices();
  const fetchPage = useFetchPage(sensor);
  const fetchSet = useFetchSet(sensor);
  const countView = useViewCount(sensor._id);
  const [covered, setCovered] = useState(true);
  const id = sensor._id;

  useEffect(() => {
    if (!timelineFailed) return;
    frames.publish(emptyFrame(id, clock.timeUs()));
    return () => frames.forget(id);
  }, [timelineFailed, id, clock, frames]);

  useEffect(() => {
    if (!timeline) return;
    const spans = telemetrySpans(timeline);
    const makeFrame = createFrameMaker(id);
    const now = () => performance.now();
    const store = createTelemetryStore({
      sensorId: id,
      startUs: timeline.startTime,
      endUs: timeline.endTime,
      fetchPage,
      fetchSet,
      onChange: () => publish(clock.timeUs()),
      now,
    });
    const driver = createTelemetryDriver({
      id,
      spans,
      isLoading: store.isLoading,
      neighbour: (timeUs, direction) => neighbourRecord({ store, spans, now }, timeUs, direction),
      now,
    });
    let wasCovered: boolean | null = null;
    function publish(timeUs: number) {
      const isCovered = spanAt(spans, timeUs) !== null;
      if (isCovered !== wasCovered) setCovered(isCovered);
      wasCovered = isCovered;
      store.ensure(timeUs);
      const record = isCovered ? store.recordAt(timeUs) : null;
      frames.publish(makeFrame({ timeUs, record, width: 0, height: 0 }));
      if (record) countView();
    }
    stores.set(id, store);
    const leaveClock = clock.join(driver);
    publish(clock.timeUs());
    const leaveTime = clock.onTime((timeUs) => {
      driver.follow(timeUs);
      publish(timeUs);
    });
    return () => {
      leaveTime();
      leaveClock();
      store.stop();
      if (stores.get(id) === store) stores.delete(id);
      frames.forget(id);
    };
  }, [timeline, id, clock, frames, stores, fetchPage, fetchSet, countView]);

  return { covered };
}
