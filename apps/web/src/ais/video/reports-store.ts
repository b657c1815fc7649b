import {
  AIS_REPORT_BITS,
  type AisReports,
  type Classification,
  type MapArea,
  type ReportedShip,
} from '@osprey/contract';
import type { Corners, Vessel } from '@osprey/geo';

export const PAGE_US = 60e6;
/** Interval at which recent reports are read again, in milliseconds. */
const LIVE_MS = 2000;
/** If a page ends less than this time before the present, in microseconds, further reports for it may still arrive. */
const LATE_US = 15e6;
const FAILED_MS = 5000;
const PAGES_MAX = 6;
/** Maximum distance that a ship covers until its next report, in degrees of latitude: 4 nautical miles. */
const REACH_DEG = 4 / 60;
/** Margin for movements of the camera on each side, as a share of the size of the footprint. */
const MARGIN = 2;

export type NamedVessel = Vessel & { name: string | null };

/** Ships around a picture, with their reports of the current minute. */
export type Nearby = { vessels: readonly NamedVessel[]; heard: boolean; cut: boolean; label: Classification };

type Page = { minute: number; area: MapArea; readMs: number; endedUs: number; nearby: Nearby };

type Deps = {
  fetchReports: (wish: { area: MapArea; startUs: number; endUs: number }) => Promise<AisReports>;
  /** Called when reports have been read, so that the picture can be drawn again. */
  onChange: () => void;
  /** Returns the current time in milliseconds since 1970. */
  nowMs?: () => number;
};

/**
 * Reads the reports of ships around a picture, one minute at a time, and again when the camera has moved out of the
 * area that was read.
 */
export function createReportsStore({ fetchReports, onChange, nowMs = Date.now }: Deps) {
  let pages: Page[] = [];
  let reading = false;
  let failedMs = Number.NEGATIVE_INFINITY;
  let epoch = 0;

  const holding = (minute: number, box: MapArea) =>
    pages.find((page) => page.minute === minute && holds(page.area, box));

  /** Whether a page must be read again: when it was read, reports for its last seconds could still arrive. */
  const isStale = ({ endedUs, readMs }: Page) => readMs * 1000 < endedUs + LATE_US && nowMs() - readMs >= LIVE_MS;

  async function read(minute: number, area: MapArea): Promise<void> {
    reading = true;
    const [startUs, began] = [minute * PAGE_US, epoch];
    try {
      const answer = await fetchReports({ area, startUs, endUs: startUs + PAGE_US });
      if (began !== epoch) return;
      const { heard, cut, securityClassification: label } = answer;
      const nearby = { vessels: answer.ships.map(vesselOf), heard, cut, label };
      const page = { minute, area, readMs: nowMs(), endedUs: startUs + PAGE_US, nearby };
      pages = [page, ...pages.filter((one) => one.minute !== minute)].slice(0, PAGES_MAX);
      failedMs = Number.NEGATIVE_INFINITY;
    } catch {
      failedMs = nowMs();
    } finally {
      reading = false;
      onChange();
    }
  }

  return {
    /** Returns the ships at a time, or the reason why there are none yet; starts reading missing pages. */
    at(timeUs: number, corners: Corners): Nearby | 'reading' | 'failed' {
      const minute = Math.floor(timeUs / PAGE_US);
      const box = boxAround(corners, { share: 0, degrees: 0 });
      if (box === null) return { vessels: [], heard: true, cut: false, label: 'UNCLASSIFIED' };
      const page = holding(minute, boxAround(corners, { share: 0, degrees: REACH_DEG }) ?? box);
      const mayRead = !reading && nowMs() - failedMs >= FAILED_MS;
      if (mayRead && (page === undefined || isStale(page))) {
        const area = boxAround(corners, { share: MARGIN, degrees: REACH_DEG });
        if (area !== null) void read(minute, area);
      }
      // While the camera moves to a new area or a new minute begins, the ships read last are shown until the new ones
      // arrive.
      const shown = page ?? pages.find((one) => Math.abs(one.minute - minute) <= 1 && holds(one.area, box));
      return shown?.nearby ?? (nowMs() - failedMs < FAILED_MS ? 'failed' : 'reading');
    },
    /** Reads the reports again, since rights may have changed. The present drawing remains until they arrive. */
    refresh(): void {
      epoch += 1;
      pages = pages.map((page) => ({ ...page, readMs: Number.NEGATIVE_INFINITY }));
      onChange();
    },
    /** Drops the loaded reports, since the user may have lost the right to see them. */
    forget(): void {
      epoch += 1;
      pages = [];
      failedMs = Number.NEGATIVE_INFINITY;
      onChange();
    },
  };
}

const vesselOf = ({ mmsi, name, dimensions, reports }: ReportedShip): NamedVessel => ({
  mmsi,
  name,
  sizes: dimensions,
  reports: reports.map(([timeUs, lat, lon, sogKnots, cogDeg, headingDeg, turnDegMin, bits]) => ({
    ...{ timeUs, lat, lon, sogKnots, cogDeg, headingDeg, turnDegMin },
    accurate: (bits & AIS_REPORT_BITS.accurate) !== 0,
    standing: (bits & AIS_REPORT_BITS.standing) !== 0,
  })),
});

type Margin = { share: number; degrees: number };

/** Returns the bounding box of a footprint with a margin; null if it would span half of the earth or more. */
function boxAround(corners: Corners, { share, degrees }: Margin): MapArea | null {
  const base = corners[0].lon;
  const lons = corners.map(({ lon }) => ((lon - base + 540) % 360) - 180);
  const lats = corners.map(({ lat }) => lat);
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const wide = degrees / Math.max(0.05, Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180));
  const [aside, above] = [(east - west) * share + wide, (north - south) * share + degrees];
  if (east - west + 2 * aside >= 180) return null;
  return {
    west: inWorld(base + west - aside),
    east: inWorld(base + east + aside),
    south: Math.max(-90, south - above),
    north: Math.min(90, north + above),
  };
}

const inWorld = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

function holds(outer: MapArea, inner: MapArea): boolean {
  const turn = (lon: number) => (lon - outer.west + 720) % 360;
  return (
    inner.south >= outer.south &&
    inner.north <= outer.north &&
    turn(inner.west) <= turn(inner.east) &&
    turn(inner.east) <= turn(outer.east)
  );
}
