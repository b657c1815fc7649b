import type { Generated } from 'kysely';
import type { Json } from '../../base/db/schema.ts';
import type { CoverageMinuteTable, CoverageSeenTable, CoverageSensorTable } from '../../media/index/tables.ts';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** `question`: shape and filter of the "Find by place" search, as entered by its owner. */
    saved_searches: {
      id: Generated<string>;
      user_id: string;
      name: string;
      question: Json<unknown>;
      created: number;
      notify: Generated<boolean>;
      /**
       * Index entries of the place: a minute whose footprints may intersect it has at least one; null until they are
       * computed.
       */
      probes: Generated<number[] | null>;
    };
    /**
     * Hits of saved searches: one row for each time that a sensor being recorded came to see the place of a search.
     * Times are seconds of the sensor's own clock.
     */
    search_hits: {
      id: Generated<string>;
      search_id: string;
      sensor_id: string;
      first: number;
      last: number;
      /** Every second from here to `last` shows the place. */
      unbroken: number;
      /**
       * UTC microseconds at which the row was created (`made`) and at which its owner was notified (`notified`).
       * `notified` is null until the hit has lasted long enough.
       */
      made: number;
      notified: Generated<number | null>;
      /** When the place was last seen live, in UTC microseconds. */
      in_sight: Generated<number>;
      seen: Generated<boolean>;
      cleared: Generated<boolean>;
    };
    coverage_sensors: CoverageSensorTable;
    coverage_minutes: CoverageMinuteTable;
    coverage_seen: CoverageSeenTable;
  }
}
