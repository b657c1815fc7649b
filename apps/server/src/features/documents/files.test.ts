import type { DocumentRow } from '@osprey/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { notedOf } from '../../../test/audit.ts';
import { addDocument, documentsOf } from '../../../test/documents.ts';
import { flightBytes } from '../../../test/flight.ts';
import { addMission } from '../../../test/missions.ts';
import { recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { zipOf } from '../../../test/zip-writer.ts';
import { decodeText } from './encoding.ts';
import { readImage } from './reader/image.ts';
import { readPdf } from './reader/pdf.ts';
import { contentOf } from './sniff.ts';

/** Added to the wall clock and the monotonic clock. */
let aheadMs = 0;
/** Time at which wall clock and monotonic clock stand still; null while they run. */
let stoppedMs: number | null = null;
const server = await recordingServer({
  jobs: ['document'],
  clock: {
    nowMs: () => (stoppedMs ?? performance.now()) + aheadMs,
    nowUs: () => Math.round((performance.timeOrigin + (stoppedMs ?? performance.now()) + aheadMs) * 1000),
  },
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
    stoppedMs = performance.now();
    const token = await tokenFor('U1', body._id);

    expect((await inject({ url: address })).statusCode).toBe(401);
    expect((await withBearer(address, token)).body).toBe('0123456789');
    const part = await withBearer(address, token, { range: 'bytes=2-4' });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await withBearer(address, token, { range: 'bytes=0-1,3-4' })).statusCode).toBe(416);

    aheadMs += 59_000;
    expect((await withBearer(address, token)).statusCode).toBe(200);
    aheadMs += 2000;
    expect((await withBearer(address, token)).statusCode).toBe(401);
    stoppedMs = null;
  });

  it('T-065 takes no token of another item, of another user, or with one bit changed', async () => {
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

  it('is done with the token of a list or of the document, for five minutes, with its row when the bytes go', async () => {
    const { body } = await post('U1', { title: 'listed' }, { name: 'x.txt', bytes: Buffer.from('0123456789') });
    await db.updateTable('documents').set({ classification: 2 }).where('id', '=', body._id).execute();
    const address = `/api/documents/${body._id}/content`;
    stoppedMs = performance.now();
    const listed = (await get('U1', `/api/documents?limit=200`)).json() as { _id: string; accessToken: string }[];
    const one = (await get('U1', `/api/documents/${body._id}`)).json() as { accessToken: string };
    const tokens = [listed.find(({ _id }) => _id === body._id)!.accessToken, one.accessToken];
    const downloads = async () =>
      (await notedOf(db, body._id)).filter(([, action]) => action === 'document.download').length;

    expect(await downloads()).toBe(0);
    for (const token of tokens) expect((await withBearer(address, token)).body).toBe('0123456789'); // S1-369
    expect(await downloads()).toBe(2);
    aheadMs += 5 * 60_000 - 1000;
    for (const token of tokens) expect((await withBearer(address, token)).statusCode).toBe(200);
    aheadMs += 2000;
    for (const token of tokens) expect((await withBearer(address, token)).statusCode).toBe(401);
    stoppedMs = null;
  });

  it('has no token in the lists of a guest', async () => {
    const id = await addDocument(db, { audience: 'groups' }, [groups.Demo]);

    const listed = (await get('guest', '/api/documents?limit=200')).json() as { _id: string; accessToken: unknown }[];
    expect(listed.find(({ _id }) => _id === id)).toMatchObject({ accessToken: null });
    expect((await get('guest', `/api/documents/${id}`)).json()).toMatchObject({ accessToken: null });
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
      await server.dependencies.storage.put(`documents/${id}/original`, [Buffer.from('hello')]);
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
    const pdf = await read('U1', testData('docs/alliance-markings/topsecret_cosmic.pdf'));
    await read('U1', testData('docs/python-docx/comments-rich-para.docx'));
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
    expect(await search('sadipscing')).toEqual(['source.odt']);
    expect(await search('worthy')).toEqual(['comments-rich-para.docx']);
    expect(await search('hyperlink embedded')).toEqual(['comments-rich-para.docx']);
    expect(await search('exceljs 42507')).toEqual(['gold.xlsx']);
    const searchable = await list('U1', 'limit=100');
    expect(searchable.filter(({ state }) => state !== 'Ready')).toEqual([]);
  });

  it('text that is written in UTF-16 or windows-1252, for the search, the small picture and the viewer alike', async () => {
    const said = 'Gewässer;Länge\r\nÄrmelkanal;560 km – 3 €\r\n';
    const utf16 = Buffer.from(`\ufeff${said.replaceAll(';', '\t')}`, 'utf16le');
    // The last two are no Latin-1: 0x96 and 0x80 are letters of windows-1252 alone.
    const office = Buffer.from(said.replace('–', '\x96').replace('€', '\x80'), 'latin1');
    const files = [
      { name: 'unicode.csv', bytes: utf16, text: said.replaceAll(';', '\t') },
      { name: 'office.csv', bytes: office, text: said },
    ];
    for (const { name, bytes, text } of files) {
      const row = await read('U1', { name, bytes });
      expect([name, row.content, row.state, row.textScope]).toEqual([name, 'csv', 'Ready', 'all']);
      expect(row.thumbnail, name).toBe(`/documents/${row._id}.webp`);
      expect((await get('U1', `/api/documents/${row._id}/text`)).json()).toEqual({ text, more: false });
    }
    expect((await search('ärmelkanal')).sort()).toEqual(files.map(({ name }) => name).sort());
    expect(await search('rmelkanal')).toEqual([]);

    const bigEndian = Buffer.from(utf16).swap16();
    expect(decodeText(bigEndian, true)).toBe(said.replaceAll(';', '\t'));
    // Text with a late first non-ASCII byte is read like one with an early one.
    const late = Buffer.concat([Buffer.alloc(100_000, 'kea;12\n'), office]);
    expect(decodeText(late, true).endsWith(said)).toBe(true);
    // JSON is UTF-8 (RFC 8259), so text of another encoding must not become a place.
    const json = Buffer.from('{"name":"Übung"}', 'latin1');
    expect([bigEndian, json].map((bytes) => contentOf(bytes, bytes, true))).toEqual(['csv', 'text']);
    const others = ['80ff01', 'fffe410000d8', 'fffe0000410000', '4d80810a', 'c3a400'];
    for (const bytes of others.map((hex) => Buffer.from(hex, 'hex'))) expect(contentOf(bytes, bytes, true)).toBe('bin');
  });

  it('headers, footers and notes of a docx, an xlsx and an odt, and cells of an xlsx', { tags: 'long' }, async () => {
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
        data: Buffer.from(
          `<worksheet><sheetData><row>${cells}</row></sheetData><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12sheetheader&amp;C&amp;D</oddHeader>` +
            '<firstFooter>&amp;Rsheetfooter</firstFooter></headerFooter></worksheet>',
        ),
      },
      {
        name: 'xl/comments1.xml',
        data: Buffer.from('<comments><comment><text><t>cellnote</t></text></comment></comments>'),
      },
    ]);
    const p = (text: string) => `<text:p>${text}</text:p>`;
    const header = `<style:header>${p('odtheader')}</style:header><style:footer>${p('odtfooter')}</style:footer>`;
    const noted = `<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('odtnote')}</text:note-body></text:note>`;
    const comment = `<office:annotation><dc:creator>odtwriter</dc:creator>${p('odtcomment')}</office:annotation>`;
    const note = `<text:p>odtmark${noted}odtmiddle${comment}</text:p>`;
    const odt = zipOf([
      { name: 'mimetype', data: Buffer.from('application/vnd.oasis.opendocument.text') },
      { name: 'content.xml', data: Buffer.from(`<office:text>${p('odtbody')}${note}</office:text>`) },
      { name: 'styles.xml', data: Buffer.from(`<style:master-page>${header}</style:master-page>`) },
    ]);
    await read('U1', { name: 'a.docx', bytes: docx });
    await read('U1', { name: 'b.xlsx', bytes: xlsx });
    await read('U1', { name: 'c.odt', bytes: odt });

    for (const word of ['bodyword', 'headerword', 'footerword', 'noteword'])
      expect(await search(word)).toEqual(['a.docx']);
    for (const word of ['cellword', '219018271', 'formulaword', '54.5', 'sheetheader', 'sheetfooter', 'cellnote'])
      expect([word, await search(word)]).toEqual([word, ['b.xlsx']]);
    for (const word of [
      'odtbody',
      'odtmark',
      'odtnote',
      'odtmiddle',
      'odtwriter',
      'odtcomment',
      'odtheader',
      'odtfooter',
    ])
      expect([word, await search(word)]).toEqual([word, ['c.odt']]);
    expect(await search('4711')).toEqual([]);
  });

  it('the first megabyte of a text, and says that it is a part', async () => {
    const long = `firstword ${'filler '.repeat(150_000)}`;
    const docx = (texts: string[]) =>
      zipOf([
        {
          name: 'word/document.xml',
          data: Buffer.from(`<w:x xmlns:w="w">${texts.map((text) => `<w:p><w:t>${text}</w:t></w:p>`).join('')}</w:x>`),
        },
      ]);
    // The limit falls into one long paragraph, and between two.
    const inOne = await read('U1', { name: 'one.docx', bytes: docx([`${long}lastword`]) });
    const between = await read('U1', {
      name: 'two.docx',
      bytes: docx(['firstword'.padEnd(999_999, ' filler'), 'lastword']),
    });
    const text = await read('U1', { name: 'long.txt', bytes: Buffer.from(`${long}lastword`) });

    for (const row of [inOne, between, text]) {
      expect([row.fileName, row.state, row.textScope]).toEqual([row.fileName, 'Ready', 'part']);
    }
    expect((await search('firstword')).sort()).toEqual(['long.txt', 'one.docx', 'two.docx']);
    expect(await search('lastword')).toEqual([]);
  });

  it('not the inside of old .doc and .xls', async () => {
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('oldsecretword'.padEnd(2000))]);
    const row = await read('U1', { name: 'old.doc', bytes: ole });

    expect(row).toMatchObject({ content: 'ole', textScope: 'fields', state: 'Ready' });
    expect(await search('oldsecretword')).toEqual([]);
  });

  itWithData('T-062 a small picture that is encoded again, without EXIF and without bytes after its end', async () => {
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

  it.each([
    ['N', 'E', [151.25, 33.85]],
    ['S', 'W', [-151.25, -33.85]],
  ])('the place of a photograph %s and %s of zero', async (north, east, coordinates) => {
    const place = { GPSLatitudeRef: north, GPSLatitude: '33/1 51/1 0/1', GPSLongitudeRef: east };
    const photograph = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#204060' } })
      .withExif({ IFD3: { ...place, GPSLongitude: '151/1 15/1 0/1' } })
      .jpeg()
      .toBuffer();

    expect((await readImage(photograph)).geometry).toEqual({ type: 'Point', coordinates });
  });

  it('the first page of a PDF as its small picture', async () => {
    const red = '1 0 0 rg 0 0 420 300 re f';
    const blue = '0 0 1 rg 0 0 420 300 re f';
    const page = (at: number, drawn: string) =>
      `${at} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 300]/Contents ${at + 1} 0 R>>endobj\n` +
      `${at + 1} 0 obj<</Length ${drawn.length}>>stream\n${drawn}\nendstream endobj\n`;
    const pages = '2 0 obj<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>endobj\n';
    const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n${pages}${page(3, red)}${page(5, blue)}trailer<</Root 1 0 R>>`;

    const { pages: count, thumbnail } = await readPdf(Buffer.from(pdf));

    const { dominant } = await sharp(Buffer.from(thumbnail!, 'base64')).stats();
    expect([count, dominant.r > 200, dominant.b < 50]).toEqual([2, true, true]);
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

  it('the beginning of a text and of a table as a small picture; none of what has letters beyond Latin', {
    tags: 'long',
  }, async () => {
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
    const stream = await read('U1', testData('ts/kwiver/h264_no_klv.ts'));
    expect([stream.content, stream.thumbnail]).toEqual(['ts', `/documents/${stream._id}.webp`]);
    expect((await sharp((await get('U1', stream.thumbnail!)).rawPayload).metadata()).width).toBe(320);
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

  it('no docx that would unpack to far more than it is', { tags: 'long' }, async () => {
    const { deflateRawSync } = await import('node:zlib');
    const { crc32 } = await import('node:zlib');
    const plain = Buffer.alloc(300 * 1024 * 1024, 'A');
    const packed = deflateRawSync(plain);
    const bomb = zipOf([{ name: 'word/document.xml', data: packed, method: 8, crc: crc32(plain) }]);
    // Sizes of a stored entry: the directory states a wrong unpacked size.
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
    const { body } = await post(
      'U1',
      { title: 'x' },
      { name: 'long.txt', bytes: Buffer.from('line\n'.repeat(100_000)) },
    );

    const { text, more } = (await get('U1', `/api/documents/${body._id}/text`)).json() as {
      text: string;
      more: boolean;
    };
    expect([text.length, more]).toEqual([256 * 1024, true]);
  });
});

describe('T-103 the audit', () => {
  /** A document of each kind that is read, with its pictures made; `classification` is the label of all. */
  async function readable(classification: number) {
    const add = async (fields: { content: string }) => {
      const more = { classification, audience: 'groups', thumbnail: true, pages: 1 } as const;
      const id = await addDocument(db, { ...more, ...fields }, [groups.G1]);
      for (const name of ['original', 'thumbnail.webp', 'page-1.webp', 'video.m3u8']) {
        await server.dependencies.storage.put(`documents/${id}/${name}`, [Buffer.from('hello')]);
      }
      return id;
    };
    const [text, pdf, video] = [
      await add({ content: 'text' }),
      await add({ content: 'pdf' }),
      await add({ content: 'ts' }),
    ];
    return [
      { id: text, url: `/api/documents/${text}`, action: 'document.read' },
      { id: text, url: `/api/documents/${text}/text`, action: 'document.read' },
      { id: text, url: `/api/documents/${text}/content`, action: 'document.download' },
      { id: pdf, url: `/documents/${pdf}.webp`, action: 'thumbnail.read' },
      { id: pdf, url: `/api/documents/${pdf}/pages/1`, action: 'document.read' },
      { id: video, url: `/api/documents/${video}/video.m3u8`, action: 'document.read' },
      { id: video, url: `/api/documents/${video}/video`, action: 'document.read' },
    ];
  }

  it('has a row for each read above UNCLASSIFIED, and without it nothing above is read', async () => {
    const [secret, open] = [await readable(3), await readable(1)];
    const statusesOf = async (reads: typeof secret) => {
      const statuses = [];
      for (const { url } of reads) statuses.push((await get('U1', url)).statusCode);
      return statuses;
    };

    expect(await statusesOf(secret)).toEqual(secret.map(() => 200));
    expect((await get('SA', secret[0]!.url)).statusCode).toBe(200);

    const rows = await db
      .selectFrom('audit')
      .select(['actor_id', 'item_id', 'item_label', 'action', 'via'])
      .where(
        'item_id',
        'in',
        secret.map(({ id }) => id),
      )
      .orderBy('seq')
      .execute();
    const row = { actor_id: server.userId('U1'), item_label: 3, via: null };
    expect(rows).toEqual([
      ...secret.map(({ id, action }) => ({ ...row, item_id: id, action })),
      { ...row, actor_id: server.userId('SA'), item_id: secret[0]!.id, action: 'document.read', via: 'allGroups' },
    ]);

    await sql`alter table audit rename to audit_away`.execute(db);
    const withoutAudit = [await statusesOf(secret), await statusesOf(open)];
    await sql`alter table audit_away rename to audit`.execute(db);
    expect(withoutAudit).toEqual([secret.map(() => 503), open.map(() => 200)]);
    expect(await statusesOf(secret)).toEqual(secret.map(() => 200));
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
    // The state after a kill: the file is at its place, the row is not.
    await server.dependencies.storage.move(row.storage_key, `documents/${row.id}/original`);

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
