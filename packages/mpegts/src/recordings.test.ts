import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itWithData, testData, testDataFolder } from '../../../tools/test-support/test-data.ts';
import { demux, type Reading } from '../test/streams.ts';
import { createSegmentMap } from './segment-map.ts';

function read(path: string): Reading {
  return demux(readFileSync(testData(path)), 65_536);
}

/** Summary of a reading, to compare with the table. */
function summary({ units, payloads, report }: Reading) {
  return {
    frames: units.length,
    keyframes: units.filter(({ keyframe }) => keyframe).length,
    sets: payloads.length,
    faults: Object.fromEntries(Object.entries(report.faults).filter(([, count]) => count > 0)),
  };
}

const WITHOUT_FFPROBE = spawnSync('ffprobe', ['-version']).error !== undefined;
if (WITHOUT_FFPROBE) process.stderr.write('mpegts: the comparison with ffprobe is skipped, ffprobe is not installed\n');
const itWithFfprobe = it.skipIf(WITHOUT_FFPROBE || testDataFolder === null);

describe('recordings of others', () => {
  itWithData.each([
    ['ts/kwiver/h264_klv.ts', 30, 1, 30, 'h264 160x120 30.00 4:4:4 8'],
    ['ts/kwiver/mpeg2_klv.ts', 30, 3, 30, 'mpeg2 160x120 30.00 4:2:0 8'],
    ['ts/kwiver/h264_no_klv.ts', 30, 1, 0, 'h264 160x120 30.00 4:4:4 8'],
    ['ts/kwiver/h264_audio.ts', 29, 3, 0, 'mpeg2 160x120 3.00 4:2:0 8'],
    ['ts/kwiver/aphill_klv_10s.ts', 10, 1, 300, 'mpeg2 360x240 1.00 4:2:0 8'],
    ['ts/osh/sample-stream.ts', 277, 28, 277, 'h264 640x480 30.00 4:2:0 8'],
    ['ts/tsduck/test-100.1.ts', 1, 1, 0, 'h265 3840x2160 59.94 4:2:0 10'],
    ['ts/tsduck/test-137.ts', 26, 1, 0, 'h265 3840x2160 25.00 4:2:0 8'],
  ])('%s: %i pictures, %i key frames, %i KLV payloads, %s', (path, frames, keyframes, sets, video) => {
    const reading = read(path);

    expect(summary(reading)).toEqual({ frames, keyframes, sets, faults: {} });
    const { codec, width, height, frameRate, chroma, bitDepth } = reading.formats[0]!.format;
    expect(`${codec} ${width}x${height} ${frameRate?.toFixed(2)} ${chroma} ${bitDepth}`).toBe(video);
  });

  itWithData('KLV without PTS that comes before each picture belongs to the picture after it', () => {
    for (const path of ['ts/kwiver/h264_klv.ts', 'field/async-no-pts.ts']) {
      const { payloads, units } = read(path);

      expect(payloads.every(({ ptsTicks }) => ptsTicks === null)).toBe(true);
      expect(payloads.map(({ nearTicks }) => nearTicks)).toEqual(units.map(({ dtsTicks }) => dtsTicks));
    }
  });

  itWithData('broken broadcast is counted as it is', () => {
    expect(read('ts/tsduck/test-024.ts').report.faults).toMatchObject({ continuityErrors: 2, duplicates: 1 });
    expect(read('ts/tsduck/test-142.ts').report.faults).toMatchObject({ syncLosses: 2, continuityErrors: 15 });
    expect(read('ts/tsduck/test-143.ts').report.faults).toMatchObject({ transportErrors: 19 });
    expect(read('ts/tsduck/test-101.ts').report.faults).toMatchObject({ scrambledPackets: 484 });
    expect(read('ts/tsduck/test-101.ts').report.programs).toHaveLength(3);
    // 307 packets equal the one before; the other 42 repeat its counter only.
    expect(read('ts/tsduck/test-049.ts').report.faults).toMatchObject({ duplicates: 307, continuityErrors: 42 });
    for (const count of [1, 2, 3]) {
      const { report } = read(`ts/tsduck/test-023${'abc'[count - 1]}.ts`);
      expect(report).toMatchObject({ packets: count, packetSize: 188, programs: [] });
      expect(report.scrambledPids).toHaveLength(count);
    }
  });

  itWithFfprobe.each([
    'ts/kwiver/h264_klv.ts',
    'ts/kwiver/h264_no_klv.ts',
    'ts/kwiver/mpeg2_klv.ts',
    'ts/kwiver/h264_audio.ts',
    'ts/kwiver/aphill_klv_10s.ts',
    'ts/osh/sample-stream.ts',
    'bad/ts/klv_sync_au.ts',
    'bad/ts/m2ts_192.ts',
  ])('%s has the packets, times and key frames that ffprobe sees', (path) => {
    const { units, payloads } = read(path);
    const packets = probePackets(testData(path));
    const video = packets.filter(({ type }) => type === 'video');
    const metadata = packets.filter(({ type }) => type === 'data');

    expect(units.map(({ ptsTicks, keyframe }) => ({ pts: ptsTicks, key: keyframe }))).toEqual(
      video.map(({ pts, key }) => ({ pts, key })),
    );
    expect(units.map(({ dtsTicks }) => dtsTicks)).toEqual(video.map(({ dts }) => dts));
    expect(payloads).toHaveLength(metadata.length);
    for (const [i, { ptsTicks }] of payloads.entries()) {
      if (ptsTicks !== null) expect(ptsTicks).toBe(metadata[i]!.pts);
    }
  });
});

type ProbedPacket = { type: string; pts: number | null; dts: number | null; key: boolean };

function probePackets(file: string): ProbedPacket[] {
  const entries = 'packet=codec_type,pts,dts,flags';
  const text = execFileSync('ffprobe', ['-v', 'quiet', '-f', 'mpegts', '-show_entries', entries, '-of', 'json', file]);
  const { packets }: { packets: { codec_type: string; pts?: number; dts?: number; flags: string }[] } = JSON.parse(
    text.toString(),
  );
  return packets.map(({ codec_type, pts, dts, flags }) => {
    return { type: codec_type, pts: pts ?? null, dts: dts ?? null, key: flags.startsWith('K') };
  });
}

describe('awkward and hostile files', () => {
  itWithData.each([
    'bad/ts/zero_bytes.ts',
    'bad/ts/one_byte.ts',
    'bad/ts/text.ts',
    'bad/ts/mp4_inside.ts',
    'bad/ts/sync_wrong.ts',
    'bad/media/playlist_file.ts',
  ])('%s is no transport stream', (path) => {
    expect(read(path).report).toMatchObject({ packetSize: null, packets: 0, programs: [] });
  });

  itWithData.each(['bad/ts/null_packets_only.ts', 'bad/ts/no_pmt.ts', 'bad/ts/pmt_crc_bad.ts'])(
    '%s has no program',
    (path) => {
      expect(read(path).report).toMatchObject({ packetSize: 188, programs: [] });
    },
  );

  itWithData('scrambled.ts is known to be scrambled', () => {
    const { report, units } = read('bad/ts/scrambled.ts');

    expect(report.scrambledPids).toEqual([256, 257]);
    expect(units).toEqual([]);
  });

  // The recording they derive from, cut to 4,000 packets: 93 pictures, 10 key frames, 92 sets.
  itWithData.each([
    ['leading_garbage.ts', 92, { skippedBytes: 1000 }],
    ['m2ts_192.ts', 92, {}],
    ['rs_204.ts', 92, {}],
    ['no_pat.ts', 92, {}],
    ['duplicate_packets.ts', 92, { duplicates: 400 }],
    ['pts_wrap.ts', 92, {}],
    ['pts_back_1h.ts', 92, { clockJumps: 1 }],
    ['pts_gap_98s.ts', 92, { clockJumps: 1 }],
    ['klv_sync_au.ts', 92, {}],
    ['klv_sync_fragments.ts', 92, {}],
    ['klv_sync_two_cells.ts', 184, {}],
  ])('%s gives all pictures and %i sets', (name, sets, faults) => {
    expect(summary(read(`bad/ts/${name}`))).toEqual({ frames: 93, keyframes: 10, sets, faults });
  });

  itWithData.each(['m2ts_192.ts', 'rs_204.ts', 'leading_garbage.ts', 'duplicate_packets.ts', 'klv_sync_au.ts'])(
    '%s gives the same sets at the same times as the recording',
    (name) => {
      const original = read('ts/osh/sample-stream.ts').payloads.slice(0, 92);
      const { payloads } = read(`bad/ts/${name}`);

      expect(payloads.map(({ hex, ptsTicks }) => [hex, ptsTicks])).toEqual(
        original.map(({ hex, ptsTicks }) => [hex, ptsTicks]),
      );
    },
  );

  itWithData('klv_sync_fragments.ts and klv_sync_two_cells.ts give the sets of the recording', () => {
    const original = read('ts/osh/sample-stream.ts').payloads.slice(0, 92);
    const joined = read('bad/ts/klv_sync_fragments.ts').payloads;
    const twice = read('bad/ts/klv_sync_two_cells.ts').payloads;

    expect(joined.map(({ hex, ptsTicks }) => [hex, ptsTicks])).toEqual(
      original.map(({ hex, ptsTicks }) => [hex, ptsTicks]),
    );
    expect(twice.map(({ hex }) => hex)).toEqual(original.flatMap(({ hex }) => [hex, hex]));
  });

  itWithData('clocks that wrap or jump have one run, or two with the length of the original', () => {
    const lengths = (name: string) => {
      const reading = read(`bad/ts/${name}`);
      const map = createSegmentMap({ videoPid: 256, programNumber: 1 });
      for (const unit of reading.units) map.add(unit);
      const { segments, runs } = map.finish(reading.report.bytes, reading.report);
      const ticks = segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0);
      return { runs: runs.length, frames: ticks / 3000 };
    };

    expect(lengths('pts_wrap.ts')).toEqual({ runs: 1, frames: 93 });
    expect(lengths('pts_back_1h.ts')).toEqual({ runs: 2, frames: 93 });
    expect(lengths('pts_gap_98s.ts')).toEqual({ runs: 2, frames: 93 });
  });

  itWithData('damaged streams go on, and the damage is counted', () => {
    expect(read('bad/ts/dropped_10pct.ts').report.faults.continuityErrors).toBeGreaterThan(300);
    expect(read('bad/ts/junk_between_packets.ts').report.faults).toMatchObject({ syncLosses: 39, skippedBytes: 3399 });
    expect(summary(read('bad/ts/junk_between_packets.ts'))).toMatchObject({ frames: 93, sets: 92 });
    expect(read('bad/ts/transport_error_flag.ts').report.faults.transportErrors).toBe(800);
    expect(summary(read('bad/ts/flipped_bytes.ts')).frames).toBeGreaterThan(90);
    expect(read('bad/ts/truncated_mid_packet.ts').report).toMatchObject({ packets: 2127, trailingBytes: 125 });
    expect(summary(read('bad/ts/truncated_first_second.ts'))).toMatchObject({ frames: 1, sets: 0 });
  });

  itWithData('dropped_10pct.ts gives no set that is not one of the recording', () => {
    const complete = new Set(read('ts/osh/sample-stream.ts').payloads.map(({ hex }) => hex));
    const { payloads } = read('bad/ts/dropped_10pct.ts');

    expect(payloads.length).toBeGreaterThan(50);
    expect(payloads.filter(({ hex }) => !complete.has(hex))).toEqual([]);
  });

  itWithData('two_programs.ts keeps the telemetry of both apart', () => {
    const { payloads, units, report } = read('bad/ts/two_programs.ts');
    const first = new Set(read('ts/osh/sample-stream.ts').payloads.map(({ hex }) => hex));

    expect(report.programs.map(({ number }) => number)).toEqual([1, 2]);
    expect(units.filter(({ programNumber }) => programNumber === 2)).toHaveLength(30);
    for (const { hex, programNumber } of payloads) expect(first.has(hex)).toBe(programNumber === 1);
  });

  itWithData('pmt_changes.ts goes on with the telemetry of the new PID', () => {
    const { payloads, programs } = read('bad/ts/pmt_changes.ts');

    expect(programs.map(({ version }) => version)).toEqual([0, 1]);
    expect(new Set(payloads.map(({ pid }) => pid))).toEqual(new Set([257, 300]));
    expect(payloads.length).toBeGreaterThanOrEqual(91);
  });

  itWithData('f-klva-stream-type-0x90.ts gives its KLV, which has a stream type for private use', () => {
    expect(summary(read('field3/f-klva-stream-type-0x90.ts'))).toMatchObject({ sets: 150 });
  });

  itWithData('files with odd KLV give their pictures, and the KLV as it is', () => {
    expect(summary(read('bad/ts/klv_checksum_bad.ts'))).toMatchObject({ frames: 30, sets: 30 });
    expect(summary(read('bad/ts/klv_length_lies.ts'))).toMatchObject({ frames: 30, sets: 30 });
    expect(summary(read('bad/ts/klv_stream_empty.ts'))).toMatchObject({ frames: 30, sets: 0 });
    expect(summary(read('bad/ts/video_missing.ts'))).toMatchObject({ frames: 0, sets: 30 });
  });
});
