import type { DocumentRow } from '@osprey/contract';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { addDocument, documentsOf } from '../../test/documents.ts';
import { flightBytes } from '../../test/flight.ts';
import { addMission } from '../../test/missions.ts';
import { recordingServer } from '../../test/recordings.ts';
import type { Subject } from '../../test/server.ts';
import { zipOf } from '../../test/zip-writer.ts';

/** Added to both clocks. */
let aheadMs = 0;
const server = await recordingServer({
  jobs: ['document'],
  clock: { nowMs: () => performance.now() + aheadMs, nowUs: () => (Date.now() + aheadMs) * 1000 },
});
const { db, groups, inject, asUser } = server;
const { post, read, list } = documentsOf(server);

const get = (who: Subject, url: string, headers: Record<string, string> = {}) => asUser(who).inject({ url, headers });
async function tokenFor(who: Subject, id: string): Promise<string> {
  const answer = await asUser(who).inject({ method: 'POST', url: `/api/documents/${id}/token` });
  return (answer.json() as { accessToken: string }).accessToken;
}
const withBearer = (url: string, token: string, headers: Record<string, string> = {}) =>
  inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } });

describe('a download', () => {
  it('needs the Bearer token of the document, good for 60 s, whole or by a range', async () => {
    const { body } = await post('U1', { title: 'x' }, { name: 'x.txt', bytes: Buffer.from('0123456789') });
    const address = `/api/documents/${body._id}/content`;
    const token = await tokenFor('U1', body._id);

    expect((await inject({ url: address })).statusCode).toBe(401);
    expect((await withBearer(address, token)).body).toBe('0123456789');
    const part = await withBearer(address, token, { range: 'bytes=2-4' });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await withBearer(address, token, { range: 'bytes=0-1,3-4' })).statusCode).toBe(416);

    aheadMs += 61_000;
    expect((await withBearer(address, token)).statusCode).toBe(401);
  });

  it('T-065 takes no token of something else, of somebody else, or with one bit changed', async () => {
    const one = await post('U1', { title: 'one' }, { name: 'a', bytes: Buffer.from('one') });
    const two = await post('U1', { title: 'two' }, { name: 'a', bytes: Buffer.from('two') });
    const token = await tokenFor('U1', one.body._id);
    const mission = await addMission(db, { state: 'Ready' });
    const missions = (await get('U1', '/api/missions/brief')).json() as { accessToken: string }[];
    const address = (id: string) => `/api/documents/${id}/content`;
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    const statuses = [
      await withBearer(address(two.body._id), token),
      await withBearer(address(one.body._id), missions[0]!.accessToken),
      await withBearer('/api/documents', token),
      await withBearer(`/api/missions/${mission}`, token),
      await withBearer(address(one.body._id), changed),
      await inject({
        url: address(one.body._id),
        headers: { authorization: `Bearer ${token}` },
        remoteAddress: '10.0.0.9',
      }),
    ].map(({ statusCode }) => statusCode);

    expect(statuses).toEqual([404, 404, 401, 401, 401, 401]);
  });

  it('is refused to the guest, who may read', async () => {
    const id = await addDocument(db, { audience: 'groups' }, [groups.Demo]);

    expect((await get('guest', `/api/documents/${id}`)).statusCode).toBe(200);
    expect((await asUser('guest').inject({ method: 'POST', url: `/api/documents/${id}/token` })).statusCode).toBe(403);
    expect((await get('guest', `/api/documents/${id}/content`)).statusCode).toBe(403);
  });

  it('ends with the right to it: a token does not outlive a raised label', async () => {
    const { body } = await post('U1', { title: 'x' }, { name: 'x', bytes: Buffer.from('x') });
    const token = await tokenFor('U1', body._id);

    await db.updateTable('documents').set({ classification: 5 }).where('id', '=', body._id).execute();

    expect((await withBearer(`/api/documents/${body._id}/content`, token)).statusCode).toBe(401);
  });

  it('T-060 sends html, svg and pdf as attachments that nothing opens or runs', async () => {
    for (const [name, text] of [
      ['page.html', '<html><script>alert(document.cookie)</script></html>'],
      ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
      ['paper.pdf', '%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'],
    ] as const) {
      const { body } = await post('U1', { title: 'x' }, { name, bytes: Buffer.from(text) });
      const answer = await get('U1', `/api/documents/${body._id}/content`);

      expect(answer.headers['content-disposition'], name).toMatch(/^attachment;/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['content-security-policy']).toBe("sandbox; default-src 'none'");
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(String(answer.headers['content-type'])).not.toMatch(/html|svg|xml/);
    }
  });

  it('T-061 has one header for any name, with every script in it', async () => {
    const names = ['a"\r\nSet-Cookie: x=1.pdf', 'تقرير البحر.pdf', 'q\'uo"te\\.txt'];
    const headers = [];
    for (const fileName of names) {
      const id = await addDocument(db, { file_name: fileName });
      await server.parts.storage.put(`documents/${id}/original`, [Buffer.from('hello')]);
      headers.push((await get('U1', `/api/documents/${id}/content`)).headers);
    }

    expect(headers.map((one) => one['content-disposition'])).toEqual([
      `attachment; filename="a_Set-Cookie: x=1.pdf"; filename*=UTF-8''a%22Set-Cookie%3A%20x%3D1.pdf`,
      `attachment; filename="_____ _____.pdf"; filename*=UTF-8''${encodeURIComponent('تقرير البحر.pdf')}`,
      `attachment; filename="q'uo_te_.txt"; filename*=UTF-8''q%27uo%22te%5C.txt`,
    ]);
    expect(headers.every((one) => one['set-cookie'] === undefined)).toBe(true);
    const { body } = await post('U1', { title: 'x' }, { name: 'a\r\nb.txt', bytes: Buffer.from('x') });
    expect(body.fileName).not.toMatch(/[\r\n]/);
  });
});

// Each file is read by a child of its own, which takes its time on a busy machine.
describe('what is read from a file', { timeout: 120_000 }, () => {
  const search = async (text: string) =>
    (await list('U1', `search=${encodeURIComponent(text)}`)).map(({ fileName }) => fileName);

  itWithData('text of PDF, docx, xlsx, odt, text and csv, found by words inside', async () => {
    await read('U1', testData('docs/pypdf/habibi.pdf'));
    const pdf = await read('U1', testData('docs/alliance-markings/topsecret_cosmic.pdf'));
    await read('U1', testData('docs/python-docx/comments-rich-para.docx'));
    await read('U1', testData('docs/python-docx/tbl-having-tables.docx'));
    await read('U1', testData('docs/exceljs/gold.xlsx'));
    await read('U1', testData('docs/pypdf/source.odt'));
    const text = await read('U1', {
      name: 'log.txt',
      bytes: Buffer.from("Kestrelsighting near o'clock rock, 100% sure"),
    });
    await read('U1', { name: 'table.csv', bytes: Buffer.from('name;speed\nmeltemi;12\nsirocco;14\n') });

    expect(pdf).toMatchObject({ state: 'Ready', content: 'pdf', textScope: 'all', message: null });
    expect(pdf.pages).toBeGreaterThan(0);
    expect(pdf.thumbnail).toBe(`/documents/${pdf._id}.webp`);
    expect(text).toMatchObject({ textScope: 'all', thumbnail: `/documents/${text._id}.webp` });
    expect(await search('kestrel')).toEqual(['log.txt']);
    expect(await search("o'clock")).toEqual(['log.txt']);
    expect(await search('rock clock')).toEqual(['log.txt']);
    expect(await search('sightings')).toEqual([]);
    expect(await search('meltemi')).toEqual(['table.csv']);
    expect(await search('cosmic')).toEqual(['topsecret_cosmic.pdf']);
    const searchable = await list('U1', 'limit=100');
    expect(searchable.filter(({ state }) => state !== 'Ready')).toEqual([]);
  });

  it('headers, footers and notes of a docx, and cells of an xlsx', async () => {
    const w = (text: string) => Buffer.from(`<w:x xmlns:w="w"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:x>`);
    const docx = zipOf([
      { name: 'word/document.xml', data: w('bodyword') },
      { name: 'word/header1.xml', data: w('headerword') },
      { name: 'word/footer1.xml', data: w('footerword') },
      { name: 'word/footnotes.xml', data: w('noteword') },
    ]);
    // A number, the third of the shared strings, what a formula gave, an error.
    const cells =
      '<c r="A1"><v>219018271</v></c><c r="B1" t="s"><v>4711</v></c><c r="C1" t="str"><f>A1</f><v>formulaword</v></c>' +
      '<c r="D1" t="e"><v>#DIV/0!</v></c><c r="E1" t="n"><v>54.5</v></c>';
    const xlsx = zipOf([
      { name: 'xl/workbook.xml', data: Buffer.from('<workbook/>') },
      { name: 'xl/sharedStrings.xml', data: Buffer.from('<sst><si><t>cellword</t></si></sst>') },
      {
        name: 'xl/worksheets/sheet1.xml',
        data: Buffer.from(`<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`),
      },
    ]);
    await read('U1', { name: 'a.docx', bytes: docx });
    await read('U1', { name: 'b.xlsx', bytes: xlsx });

    for (const word of ['bodyword', 'headerword', 'footerword', 'noteword'])
      expect(await search(word)).toEqual(['a.docx']);
    for (const word of ['cellword', '219018271', 'formulaword', '54.5'])
      expect([word, await search(word)]).toEqual([word, ['b.xlsx']]);
    expect(await search('4711')).toEqual([]);
  });

  it('not the inside of old .doc and .xls', async () => {
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('oldsecretword'.padEnd(2000))]);
    const row = await read('U1', { name: 'old.doc', bytes: ole });

    expect(row).toMatchObject({ content: 'ole', textScope: 'fields', state: 'Ready' });
    expect(await search('oldsecretword')).toEqual([]);
  });

  itWithData('T-062 a small picture made anew, without EXIF and without what stood behind it', async () => {
    const gps = await read('U1', testData('img/exif-samples/DSCN0010.jpg'));
    const polyglot = Buffer.concat([
      await sharp({ create: { width: 64, height: 48, channels: 3, background: '#204060' } })
        .jpeg()
        .toBuffer(),
      Buffer.from('<html><script>alert(1)</script></html>'),
    ]);
    const html = await read('U1', { name: 'both.jpg', bytes: polyglot });

    const bytes = async (row: DocumentRow) => (await get('U1', row.thumbnail!)).rawPayload;
    const picture = await bytes(gps);
    const metadata = await sharp(picture).metadata();
    expect(metadata.exif).toBeUndefined();
    expect(metadata.format).toBe('webp');
    expect(Math.max(metadata.width, metadata.height)).toBeLessThanOrEqual(320);
    expect((await bytes(html)).includes('script')).toBe(false);
    expect(gps.geometry).toEqual({
      type: 'Point',
      coordinates: [expect.closeTo(11.885, 2), expect.closeTo(43.467, 2)],
    });
    expect(gps.geometrySource).toBe('file');
  });

  it('places of KML and GeoJSON, which the area filter finds', async () => {
    const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Polygon><outerBoundaryIs>
      <LinearRing><coordinates>24,37,0 25,37,0 25,38,0 24,37,0</coordinates></LinearRing></outerBoundaryIs></Polygon>
      </Placemark></kml>`;
    const geojson = {
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [-30, 10] } }],
    };
    const area = await read('U1', { name: 'area.kml', bytes: Buffer.from(kml) });
    const point = await read('U1', { name: 'point.geojson', bytes: Buffer.from(JSON.stringify(geojson)) });

    expect([area.content, area.geometry?.type]).toEqual(['kml', 'Polygon']);
    expect([point.content, point.geometry]).toEqual(['geojson', { type: 'Point', coordinates: [-30, 10] }]);
    expect((await list('U1', 'geometry=24.4,37.1,24.6,37.2')).map(({ fileName }) => fileName)).toEqual(['area.kml']);
    expect((await list('U1', 'geometry=-31,9,-29,11')).map(({ fileName }) => fileName)).toEqual(['point.geojson']);
  });

  it('the beginning of a text and of a table as a small picture; none of what has letters beyond Latin', async () => {
    const lines = Array.from({ length: 40 }, (_none, n) => `${n}: (sighting) of a \\boat, 100% sure`).join('\n');
    const text = await read('U1', { name: 'log.txt', bytes: Buffer.from(lines) });
    const table = await read('U1', { name: 'a.csv', bytes: Buffer.from('name;speed\nmeltemi;12\nsirocco;14\n') });
    const greek = await read('U1', { name: 'greek.txt', bytes: Buffer.from('Αναφορά θέασης σκάφους') });

    for (const row of [text, table]) {
      const picture = sharp((await get('U1', row.thumbnail!)).rawPayload);
      expect(await picture.metadata()).toMatchObject({ format: 'webp', width: 320, height: 240 });
      // Letters, not a blank sheet: the picture holds dark pixels on white.
      const { channels } = await picture.stats();
      expect([channels[0]!.min < 120, channels[0]!.max > 240], row.fileName).toEqual([true, true]);
    }
    expect(greek).toMatchObject({ state: 'Ready', thumbnail: null, message: null });
  });

  it('how a transport stream plays: a playlist of byte ranges of the file as it came', async () => {
    const file = { name: 'flight.ts', bytes: flightBytes({ seconds: 7 }) };
    const row = await read('U1', file);
    const note = await read('U1', { name: 'note.txt', bytes: Buffer.from('hello') });
    const address = `/api/documents/${row._id}`;

    const playlist = await get('U1', `${address}/video.m3u8`);

    expect([row.content, playlist.statusCode]).toEqual(['ts', 200]);
    expect(playlist.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    const ranges = [...playlist.body.matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)\nvideo$/gm)].map(([, size, at]) => [
      Number(at),
      Number(size),
    ]);
    expect(ranges.length).toBeGreaterThan(1);
    expect(ranges.reduce((end, [at = 0, size = 0]) => (at === end ? at + size : -1), 0)).toBe(file.bytes.byteLength);
    const [at = 0, size = 0] = ranges[1]!;
    const part = await get('U1', `${address}/video`, { range: `bytes=${at}-${at + size - 1}` });
    expect([part.statusCode, part.headers['content-type']]).toEqual([206, 'video/mp2t']);
    expect(part.rawPayload.equals(file.bytes.subarray(at, at + size))).toBe(true);
    expect((await get('U1', `/api/documents/${note._id}/video.m3u8`)).json()).toMatchObject({ code: 'badFile' });
    expect((await get('U0', `${address}/video.m3u8`)).statusCode).toBe(404);
  });

  itWithData('a frame of a video', async () => {
    const row = await read('U1', testData('docs/mp4/ffmpeg_video.mp4'));

    expect(row).toMatchObject({ content: 'mp4', state: 'Ready' });
    expect((await sharp((await get('U1', row.thumbnail!)).rawPayload).metadata()).width).toBe(320);
    const part = await get('U1', `/api/documents/${row._id}/video`, { range: 'bytes=0-9' });
    expect([part.statusCode, part.headers['content-type']]).toEqual([206, 'video/mp4']);
  });

  itWithData(
    'nothing that hurts: bombs, lies and loops end as documents without a preview',
    async () => {
      const hostile = [
        'image/bomb_30000.png',
        'image/huge_dimensions.png',
        'image/jpeg_huge.jpg',
        'image/zero_size.png',
        'image/html_named.jpg',
        'image/script.svg',
        'doc/page_tree_loop.pdf',
        'doc/truncated.pdf',
        'doc/javascript.pdf',
        'doc/pdf_zip_polyglot.pdf',
        'doc/entity.docx',
        'doc/template_loopback.docx',
        'doc/elf_named.txt',
        'doc/nul_and_latin1.csv',
      ];
      const rows = [];
      for (const name of hostile) rows.push(await read('U1', testData(`bad/${name}`)));

      expect(rows.map(({ state }) => state)).toEqual(hostile.map(() => 'Ready'));
      expect(rows[0]).toMatchObject({ thumbnail: null, message: 'No preview: it has more than 100 megapixels.' });
      expect(rows.find(({ fileName }) => fileName === 'script.svg')).toMatchObject({
        content: 'text',
        message: null,
      });
      expect(rows.find(({ fileName }) => fileName === 'elf_named.txt')).toMatchObject({ content: 'bin' });
    },
    120_000,
  );

  it('no docx that would unpack to far more than it is', async () => {
    const { deflateRawSync } = await import('node:zlib');
    const { crc32 } = await import('node:zlib');
    const plain = Buffer.alloc(300 * 1024 * 1024, 'A');
    const packed = deflateRawSync(plain);
    const bomb = zipOf([{ name: 'word/document.xml', data: packed, method: 8, crc: crc32(plain) }]);
    // Sizes of a stored entry: the directory lies about what comes out.
    const row = await read('U1', { name: 'bomb.docx', bytes: bomb });

    expect(row).toMatchObject({ content: 'docx', state: 'Ready', textScope: 'fields' });
    expect(row.message).toMatch(/^No preview: /);
  });
});

describe('the viewer', () => {
  itWithData('shows pages of a PDF and images as pictures that the server made', async () => {
    const pdf = await read('U1', testData('docs/pypdf/pdflatex-forms.pdf'));
    const image = await read('U1', testData('img/exif-samples/DSCN0010.jpg'));

    for (const row of [pdf, image]) {
      const answer = await get('U1', `/api/documents/${row._id}/pages/1`);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
      expect((await sharp(answer.rawPayload).metadata()).exif).toBeUndefined();
    }
    expect((await get('U1', `/api/documents/${pdf._id}/pages/9999`)).statusCode).toBe(404);
    expect((await get('U2', `/api/documents/${pdf._id}/pages/1`)).statusCode).toBe(404);
  });

  it('shows the beginning of a text', async () => {
    const row = await read('U1', { name: 'long.txt', bytes: Buffer.from('line\n'.repeat(100_000)) });

    const { text, more } = (await get('U1', `/api/documents/${row._id}/text`)).json() as {
      text: string;
      more: boolean;
    };
    expect([text.length, more]).toEqual([256 * 1024, true]);
  });
});

describe('a resumable upload', () => {
  const tus = (
    who: Subject,
    method: 'POST' | 'PATCH',
    url: string,
    headers: Record<string, string>,
    payload?: Buffer,
  ) =>
    asUser(who).inject({ method, url, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(payload && { payload }) });
  const meta = `purpose ${Buffer.from('document').toString('base64')},filename ${Buffer.from('big.html').toString('base64')}`;

  async function uploaded(text: string) {
    const length = { 'upload-length': String(text.length), 'upload-metadata': meta };
    const address = String((await tus('U1', 'POST', '/api/uploads', length)).headers.location);
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    await tus('U1', 'PATCH', address, headers, Buffer.from(text));
    const id = address.split('/').at(-1)!;
    return db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  it('becomes a document also where the server was killed between its bytes and its row', async () => {
    const row = await uploaded('acknowledged bytes');
    // What a kill leaves behind: the file is at its place, the row is not.
    await server.parts.storage.move(row.storage_key, `documents/${row.id}/original`);

    const made = await post('U1', { title: 'recovered', upload: row.id }, null);

    expect([made.status, made.body._id]).toEqual([200, row.id]);
    expect((await get('U1', `/api/documents/${row.id}/content`)).body).toBe('acknowledged bytes');
  });

  it('is the document that it became already, where the answer was lost with the server', async () => {
    const row = await uploaded('bytes of a document');
    await post('U1', { title: 'made before', upload: row.id }, null);
    await db.insertInto('uploads').values(row).execute();

    const again = await post('U1', { title: 'made before', upload: row.id }, null);

    expect([again.status, again.body._id]).toEqual([200, row.id]);
    expect((await get('U1', `/api/documents/${row.id}/content`)).body).toBe('bytes of a document');
    expect(await db.selectFrom('uploads').select('id').where('id', '=', row.id).execute()).toEqual([]);
  });

  it('becomes a document when a form names it', async () => {
    const bytes = Buffer.from('first half, second half');
    const begun = await tus('U1', 'POST', '/api/uploads', {
      'upload-length': String(bytes.byteLength),
      'upload-metadata': meta,
    });
    const address = String(begun.headers.location);
    const upload = address.split('/').at(-1)!;
    const patch = (offset: number, part: Buffer) =>
      tus(
        'U1',
        'PATCH',
        address,
        { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        part,
      );

    await patch(0, bytes.subarray(0, 10));
    expect((await post('U1', { title: 'early', upload }, null)).body.values).toEqual({
      upload: 'The upload is not whole yet',
    });
    await patch(10, bytes.subarray(10));
    expect((await post('U2', { title: 'theirs', usergroups: JSON.stringify([groups.G2]), upload }, null)).status).toBe(
      404,
    );
    const made = await post('U1', { title: 'whole', upload }, null);

    expect(made.body).toMatchObject({
      _id: upload,
      fileName: 'big.html',
      sizeBytes: bytes.byteLength,
      content: 'text',
    });
    expect((await get('U1', `/api/documents/${upload}/content`)).body).toBe(bytes.toString());
    expect(
      (await tus('guest', 'POST', '/api/uploads', { 'upload-length': '5', 'upload-metadata': meta })).statusCode,
    ).toBe(403);
  });
});
