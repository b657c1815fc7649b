import { Counter, Gauge, type Registry } from 'prom-client';
import type { SourceState } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from './mirror.ts';

const STATES = ['online', 'lost', 'offline', 'unknown'] as const satisfies readonly SourceState['state'][];

type Field = 'packets' | 'lost' | 'reordered' | 'refused';
const COUNTED: readonly (readonly [Field, name: string, help: string])[] = [
  ['packets', 'osprey_live_received_packets_total', 'Transport packets that live streams brought'],
  ['lost', 'osprey_live_lost_packets_total', 'Transport or RTP packets missing in live streams'],
  ['reordered', 'osprey_live_reordered_packets_total', 'RTP packets of live streams that came late but in time'],
  ['refused', 'osprey_live_refused_packets_total', 'Datagrams refused: their sender, a flood, or no stream'],
];

/**
 * Metrics summed over all live sources, as reported by the recorder. Sensor names are left out, since they would reveal
 * hidden platforms to readers of the metrics. Each sensor's own counters are in its row of the list of platforms.
 */
export function sourceMetrics(mirror: Pick<RecorderMirror, 'subscribe' | 'sources'>, register: Registry): void {
  const registers = [register];
  const counted = new Map<string, Record<Field, number>>();
  const counters = COUNTED.map(([field, name, help]) => [field, new Counter({ name, help, registers })] as const);

  const sensors = new Gauge({
    name: 'osprey_live_sensors',
    help: 'Sensors of live platforms by the state of their stream',
    labelNames: ['state'],
    registers,
    collect() {
      for (const state of STATES) sensors.set({ state }, all().filter((source) => source.state === state).length);
    },
  });
  const jitter = new Gauge({
    name: 'osprey_live_jitter_max_seconds',
    help: 'Interarrival jitter (RFC 3550) of the RTP stream where it is the largest; 0 without any',
    registers,
    collect() {
      const online = all().filter(({ state }) => state === 'online');
      jitter.set(Math.max(0, ...online.map(({ jitterMs }) => jitterMs ?? 0)) / 1000);
    },
  });
  const all = () => [...mirror.sources()];

  mirror.subscribe({
    onMessage(message) {
      if (message.kind === 'hello') message.sources.forEach(count);
      if (message.kind === 'source') count(message.source);
      if (message.kind === 'sourceGone') counted.delete(message.sensorId);
    },
  });

  function count(source: SourceState): void {
    const before = counted.get(source.sensorId);
    for (const [field, counter] of counters) {
      const more = source[field] - (before?.[field] ?? 0);
      // A source that restarted counts from 0 again.
      counter.inc(more < 0 ? source[field] : more);
    }
    const { packets, lost, reordered, refused } = source;
    counted.set(source.sensorId, { packets, lost, reordered, refused });
  }
}
