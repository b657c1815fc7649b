/** One reading of the receiver of a GoPro. */
export type GpsReading = { latitude: number; longitude: number; altitude: number; speed: number };

/** An item of GPMF: its key, type, size and repetitions, and its content padded to four bytes. */
export function gpmfItem(key: string, type: string, size: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(key, 0, 'latin1');
  head.write(type, 4, 'latin1');
  head[5] = size;
  head.writeUInt16BE(content.length / size, 6);
  return Buffer.concat([head, content, Buffer.alloc((4 - (content.length % 4)) % 4)]);
}

export function gpmfNest(key: string, ...items: readonly Buffer[]): Buffer {
  const content = Buffer.concat(items);
  const item = gpmfItem(key, '\0', 1, content);
  return item;
}

function int32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, n) => void bytes.writeInt32BE(Math.round(value), 4 * n));
  return bytes;
}

type Payload = { readings: readonly GpsReading[]; fix: number; utc: Date };

/** As HERO5 to HERO10 write it: time and fix once a payload. */
export function gps5Payload({ readings, fix, utc }: Payload): Buffer {
  const time = utc
    .toISOString()
    .replace(/[-:TZ]/g, '')
    .slice(2, 18);
  const values = readings.map(({ latitude, longitude, altitude, speed }) =>
    int32(latitude * 1e7, longitude * 1e7, altitude * 1000, speed * 1000, speed * 100),
  );
  const stream = gpmfNest(
    'STRM',
    gpmfItem('STNM', 'c', 1, Buffer.from('GPS (Lat., Long., Alt., 2D speed, 3D speed)')),
    gpmfItem('GPSF', 'L', 4, int32(fix)),
    gpmfItem('GPSU', 'U', 16, Buffer.from(time)),
    gpmfItem('GPSP', 'S', 2, Buffer.from([0, 250])),
    gpmfItem('SCAL', 'l', 4, int32(10_000_000, 10_000_000, 1000, 1000, 100)),
    gpmfItem('GPS5', 'l', 20, Buffer.concat(values)),
  );
  return gpmfNest('DEVC', gpmfItem('DVID', 'L', 4, int32(1)), gpmfItem('DVNM', 'c', 1, Buffer.from('Camera')), stream);
}

/** As HERO11 and later write it: time and fix with each reading. */
export function gps9Payload({ readings, fix, utc }: Payload): Buffer {
  const days = Math.floor((utc.getTime() - Date.UTC(2000, 0, 1)) / 86_400_000);
  const ms = utc.getTime() % 86_400_000;
  const values = readings.map(({ latitude, longitude, altitude, speed }, n) => {
    const numbers = int32(
      latitude * 1e7,
      longitude * 1e7,
      altitude * 1000,
      speed * 1000,
      speed * 100,
      days,
      ms + n * 100,
    );
    const last = Buffer.alloc(4);
    last.writeUInt16BE(250, 0);
    last.writeUInt16BE(fix, 2);
    return Buffer.concat([numbers, last]);
  });
  const stream = gpmfNest(
    'STRM',
    gpmfItem('GPSA', 'F', 4, Buffer.from('MSLV')),
    gpmfItem('TYPE', 'c', 1, Buffer.from('lllllllSS')),
    gpmfItem('SCAL', 'l', 4, int32(10_000_000, 10_000_000, 1000, 1000, 100, 1, 1000, 100, 1)),
    gpmfItem('GPS9', '?', 32, Buffer.concat(values)),
  );
  return gpmfNest('DEVC', gpmfItem('DVID', 'L', 4, int32(1)), gpmfItem('DVNM', 'c', 1, Buffer.from('Camera')), stream);
}
