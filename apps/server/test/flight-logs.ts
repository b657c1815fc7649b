import { checkSum } from '../src/media/formats/sidecars/flight-logs/tlog.ts';

/** One moment of a log. `fix`: as receivers give it, 3 with a height. Angles in degrees. */
export type LogMoment = {
  seconds: number;
  latitude: number;
  longitude: number;
  altitude: number;
  speed: number;
  fix: number;
  roll: number;
  pitch: number;
  yaw: number;
};

/** Content of a log; `startMs`: UTC at 0 s, null for a receiver that does not know it. */
export type LogContent = { startMs: number | null; moments: readonly LogMoment[] };

/** Time of a log's own clock at 0 s of its moments. */
const BOOT_US = 5_000_000;
const RADIANS = Math.PI / 180;
const text = (value: string, length = value.length): Buffer => Buffer.from(value.padEnd(length, '\0'), 'latin1');

function numbers(write: (view: DataView) => void, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  write(new DataView(bytes.buffer, bytes.byteOffset, length));
  return bytes;
}

const logTime = (seconds: number): bigint => BigInt(BOOT_US + Math.round(seconds * 1e6));
const utcTime = (startMs: number | null, seconds: number): bigint =>
  startMs === null ? 0n : BigInt(startMs * 1000 + Math.round(seconds * 1e6));

/** A message of a PX4 log. */
export function ulogMessage(type: string, payload: Uint8Array): Buffer {
  const head = Buffer.from([0, 0, type.charCodeAt(0)]);
  head.writeUInt16LE(payload.length);
  return Buffer.concat([head, payload]);
}

/** The flags of a PX4 log: which forms must be known, and where data were appended. */
export function ulogFlags(incompatible: number, appendedAt: number): Buffer {
  const payload = Buffer.alloc(40);
  payload[8] = incompatible;
  payload.writeBigUInt64LE(BigInt(appendedAt), 16);
  return ulogMessage('B', payload);
}

export const ULOG_HEAD = Buffer.from('554c6f67011235010000000000000000', 'hex');

/** A PX4 log; `isOld` names coordinates as firmware before 1.14 does, in whole numbers. */
export function ulogFile({ startMs, moments }: LogContent, { isOld = false } = {}): Buffer {
  const place = isOld
    ? 'int32_t lat;int32_t lon;int32_t alt'
    : 'double latitude_deg;double longitude_deg;double altitude_msl_m';
  const placeBytes = isOld ? 12 : 24;
  const formats = [
    `vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;${place};float vel_m_s;uint8_t fix_type;uint8_t[3] _padding0;`,
    'vehicle_attitude:uint64_t timestamp;uint64_t timestamp_sample;float[4] q;',
    'esc_status:uint64_t timestamp;esc_report[8] esc;',
  ].map((format) => ulogMessage('F', text(format)));
  const subscriptions = ['vehicle_gps_position', 'vehicle_attitude'].map((name, id) =>
    ulogMessage('A', Buffer.concat([Buffer.from([0, id, 0]), text(name)])),
  );
  const data = moments.flatMap((m) => {
    const gps = numbers((view) => {
      view.setUint16(0, 0, true);
      view.setBigUint64(2, logTime(m.seconds), true);
      view.setBigUint64(10, utcTime(startMs, m.seconds), true);
      const values = [m.latitude, m.longitude, m.altitude];
      values.forEach((value, index) => {
        if (isOld) view.setInt32(18 + 4 * index, Math.round(value * (index === 2 ? 1000 : 1e7)), true);
        else view.setFloat64(18 + 8 * index, value, true);
      });
      view.setFloat32(18 + placeBytes, m.speed, true);
      view.setUint8(22 + placeBytes, m.fix);
      // The padding at the end is in the format alone.
    }, 23 + placeBytes);
    const attitude = numbers((view) => {
      view.setUint16(0, 1, true);
      view.setBigUint64(2, logTime(m.seconds), true);
      for (const [index, value] of quaternion(m).entries()) view.setFloat32(18 + 4 * index, value, true);
    }, 34);
    return [ulogMessage('D', gps), ulogMessage('D', attitude)];
  });
  return Buffer.concat([ULOG_HEAD, ulogFlags(0, 0), ...formats, ...subscriptions, ...data]);
}

function quaternion({ roll, pitch, yaw }: LogMoment): number[] {
  const [r, p, y] = [roll, pitch, yaw].map((angle) => (angle * RADIANS) / 2) as [number, number, number];
  const [cr, sr, cp, sp, cy, sy] = [Math.cos(r), Math.sin(r), Math.cos(p), Math.sin(p), Math.cos(y), Math.sin(y)];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}

const dataflashFormat = (type: number, length: number, name: string, format: string, labels: string): Buffer =>
  Buffer.concat([Buffer.from([0xa3, 0x95, 128, type, length]), ...[text(name, 4), text(format, 16), text(labels, 64)]]);

const GPS_EPOCH_MS = Date.UTC(1980, 0, 6);
const WEEK_MS = 7 * 86_400_000;

/** An ArduPilot log; `leap`: seconds that GPS is ahead of UTC on its day. */
export function dataflashFile({ startMs, moments }: LogContent, { leap = 18 } = {}): Buffer {
  const formats = [
    dataflashFormat(128, 89, 'FMT', 'BBnNZ', 'Type,Length,Name,Format,Columns'),
    dataflashFormat(130, 39, 'GPS', 'QBBIHLLeff', 'TimeUS,I,Status,GMS,GWk,Lat,Lng,Alt,Spd,GCrs'),
    dataflashFormat(131, 17, 'ATT', 'QccC', 'TimeUS,Roll,Pitch,Yaw'),
    dataflashFormat(132, 75, 'MSG', 'QZ', 'TimeUS,Message'),
  ];
  const data = moments.flatMap((m) => {
    const gpsMs = startMs === null ? 0 : startMs + m.seconds * 1000 + leap * 1000 - GPS_EPOCH_MS;
    const gps = numbers((view) => {
      view.setUint8(0, 0xa3);
      view.setUint8(1, 0x95);
      view.setUint8(2, 130);
      view.setBigUint64(3, logTime(m.seconds), true);
      view.setUint8(12, m.fix);
      view.setUint32(13, gpsMs % WEEK_MS, true);
      view.setUint16(17, Math.floor(gpsMs / WEEK_MS), true);
      view.setInt32(19, Math.round(m.latitude * 1e7), true);
      view.setInt32(23, Math.round(m.longitude * 1e7), true);
      view.setInt32(27, Math.round(m.altitude * 100), true);
      view.setFloat32(31, m.speed, true);
    }, 39);
    const attitude = numbers((view) => {
      view.setUint8(0, 0xa3);
      view.setUint8(1, 0x95);
      view.setUint8(2, 131);
      view.setBigUint64(3, logTime(m.seconds), true);
      view.setInt16(11, Math.round(m.roll * 100), true);
      view.setInt16(13, Math.round(m.pitch * 100), true);
      view.setUint16(15, Math.round(m.yaw * 100), true);
    }, 17);
    return [gps, attitude];
  });
  return Buffer.concat([...formats, ...data]);
}

/** A packet after its time; zeros at the end are left out in MAVLink 2. */
function tlogRecord(stampUs: bigint, { version, system, type, seed, payload }: Packet): Buffer {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(stampUs);
  let length = payload.length;
  while (version === 2 && length > 1 && payload[length - 1] === 0) length -= 1;
  const head =
    version === 1 ? [0xfe, length, 0, system, 1, type] : [0xfd, length, 0, 0, 0, system, 1, type & 255, type >> 8, 0];
  const packet = Buffer.concat([Buffer.from(head), payload.subarray(0, length), Buffer.alloc(2)]);
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  packet.writeUInt16LE(checkSum(view, 1, packet.length - 2, seed), packet.length - 2);
  return Buffer.concat([stamp, packet]);
}

type Packet = { version: 1 | 2; system: number; type: number; seed: number; payload: Buffer };

/** A log of a ground station whose clock is `aheadMs` ahead of that of the vehicle. */
export function tlogFile(
  { startMs, moments }: LogContent,
  { version = 2 as 1 | 2, system = 1, aheadMs = 0, groundMs = startMs ?? 0 } = {},
): Buffer {
  const records = moments.flatMap((m) => {
    const stamp = BigInt((groundMs + aheadMs) * 1000 + Math.round(m.seconds * 1e6));
    const put = (type: number, seed: number, length: number, write: (view: DataView) => void) =>
      tlogRecord(stamp, { version, system, type, seed, payload: numbers(write, length) });
    return [
      put(2, 137, 12, (view) => view.setBigUint64(0, utcTime(startMs, m.seconds), true)),
      put(24, 24, 30, (view) => {
        view.setInt32(8, Math.round(m.latitude * 1e7), true);
        view.setInt32(12, Math.round(m.longitude * 1e7), true);
        view.setInt32(16, Math.round(m.altitude * 1000), true);
        view.setUint16(24, Math.round(m.speed * 100), true);
        view.setUint8(28, m.fix);
      }),
      put(30, 39, 28, (view) => {
        for (const [index, angle] of [m.roll, m.pitch, m.yaw].entries()) {
          view.setFloat32(4 + 4 * index, angle * RADIANS, true);
        }
      }),
    ];
  });
  return Buffer.concat(records);
}
