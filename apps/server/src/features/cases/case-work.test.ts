import type { CaseComment, CasePart } from '@osprey/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { addCase, addNote, casesOf } from '../../../test/cases.ts';
import { addDocument } from '../../../test/documents.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { extentOf } from './extents.ts';
import { inOrder } from './part-changes.ts';
import { sweepCases } from './sweep.ts';

const server = await testServer();
const { db, userId } = server;
const { ask, made, read, parts, add, comments, change } = casesOf(server);

beforeEach(async () => {
  for (const table of ['cases', 'documents'] as const) await db.deleteFrom(table).execute();
});

const note = (title: string, text = '') => ({ kind: 'note', title, text });
const titles = async (who: Subject, id: string) => (await parts(who, id)).map(({ title }) => title);

describe('the order of a case', () => {
  it('is that of its people; a hidden part stays after the part that it followed', async () => {
    const id = await made('U1');
    const documentId = await addDocument(db, { title: 'hidden', audience: 'groups' });
    await add('U1', id, [note('a'), note('b')]);
    await add('SA', id, [{ kind: 'document', documentId }]);
    await add('U1', id, [note('c')]);
    const ids = (await parts('U1', id)).map(({ _id }) => _id);
    const order = (requested: readonly string[], revision: number) =>
      ask('U1', 'PUT', `/${id}/order`, { parts: requested, revision });
    const { revision } = (await read('U1', id)).body;

    const { status, body } = await order([ids[2]!, ids[1]!, ids[0]!], revision);

    expect([status, body.revision]).toEqual([200, revision + 1]);
    expect(await titles('U1', id)).toEqual(['c', 'b', 'a']);
    expect(await titles('SA', id)).toEqual(['c', 'b', 'hidden', 'a']);
    expect((await order(ids, revision)).body.code).toBe('revisionConflict');
    const all = (await parts('SA', id)).map(({ _id }) => _id);
    for (const wrong of [ids.slice(1), [...ids, ids[0]!], all, [ids[0]!, ids[0]!, ids[1]!]]) {
      expect((await order(wrong, revision + 1)).body.code).toBe('ruleRefused');
    }
  });

  it('keeps hidden parts with those that they follow, for any order of the rest', () => {
    const parts = [
      { id: 'h0', shown: false },
      { id: 'a', shown: true },
      { id: 'h1', shown: false },
      { id: 'h2', shown: false },
      { id: 'b', shown: true },
    ];
    expect(inOrder(parts, ['b', 'a'])).toEqual(['h0', 'b', 'a', 'h1', 'h2']);
    expect(inOrder(parts.slice(0, 1), [])).toEqual(['h0']);
  });
});

describe('what is said about a part', () => {
  it('is a remark on what is shown, and the text of a note; a track has a title too', async () => {
    const id = await made('U1');
    const documentId = await addDocument(db, { title: 'paper' });
    const [shown, written] = (await add('U1', id, [{ kind: 'document', documentId }, note('n')])).body;
    const put = (part: CasePart, fields: object) =>
      ask<CasePart & { code: string; text: string }>('U1', 'PUT', `/${id}/parts/${part._id}`, fields);

    const remarked = await put(shown!, { remark: 'Look at page 3', revision: 1 });
    expect(remarked.body).toMatchObject({ remark: 'Look at page 3', title: 'paper', revision: 2 });
    expect((await put(shown!, { remark: 'Late', revision: 1 })).body.code).toBe('revisionConflict');
    expect((await put(shown!, { title: 'x', revision: 2 })).body.text).toBe(
      'Its title is that of the item and cannot be changed here.',
    );
    expect((await put(shown!, { text: 'x', revision: 2 })).body.text).toBe('Only notes have a text.');
    const changed = await put(written!, { title: 'Why', text: '**Because**', revision: 1 });
    expect(changed.body).toMatchObject({ title: 'Why', text: '**Because**', remark: '' });
    expect((await put(written!, { remark: 'x', revision: 2 })).body.text).toBe('Notes have no remark.');
    expect((await put(written!, { text: 'x'.repeat(20_001), revision: 2 })).status).toBe(400);
    expect((await put({ ...written!, _id: crypto.randomUUID() }, { revision: 1 })).status).toBe(404);
    const other = await addNote(db, await addCase(db, { owner_id: userId('U1') }));
    expect((await put({ ...written!, _id: other }, { text: 'x', revision: 1 })).status).toBe(404);
  });

  it('T-089 hostile words are kept and given back as words', async () => {
    const id = await made('U1');
    for (const word of ['<img src=x onerror=alert(1)>', '=cmd()', '\u202eabc', '%_\\']) {
      expect((await add('U1', id, [note(word, word)])).body[0]).toMatchObject({ title: word, text: word });
      expect((await change('U1', id, { name: word, description: word })).body).toMatchObject({ name: word });
    }
    for (const fields of [{ name: 'a\u0007' }, { name: 'x'.repeat(129) }, { description: 'a\0' }]) {
      expect((await change('U1', id, fields)).status).toBe(400);
    }
  });
});

describe('a part that is taken out', () => {
  it('can be brought back for a day, and is forgotten after it', async () => {
    const id = await made('U1');
    const [one, two] = (await add('U1', id, [note('one'), note('two')])).body;
    const both = [one!._id, two!._id];
    const remove = (ids: string[]) => ask<{ message: string }>('U1', 'DELETE', `/${id}/parts`, { parts: ids });
    const restore = (ids: string[]) => ask<{ message: string }>('U1', 'POST', `/${id}/parts/restore`, { parts: ids });

    expect((await remove([one!._id, crypto.randomUUID()])).status).toBe(404);
    expect((await remove(both)).body.message).toBe('2 parts removed from the case.');
    expect([await titles('U1', id), (await read('U1', id)).body.parts]).toEqual([[], 0]);
    expect((await restore([one!._id])).body.message).toBe('1 part put back into the case.');
    expect(await titles('U1', id)).toEqual(['one']);
    const removed_time = (Date.now() - 25 * 3_600_000) * 1000;
    await db.updateTable('case_parts').set({ removed_time }).where('id', '=', two!._id).execute();
    expect((await restore([two!._id])).status).toBe(404);
    await sweepCases({ db, nowUs: () => Date.now() * 1000, log: { info: () => undefined } });
    expect(await db.selectFrom('case_parts').select('title').execute()).toEqual([{ title: 'one' }]);
  });

  it('is not brought back where it is in the case again', async () => {
    const id = await made('U1');
    const part = { kind: 'document', documentId: await addDocument(db, { title: 'paper' }) };
    const [first] = (await add('U1', id, [part])).body;
    await ask('U1', 'DELETE', `/${id}/parts`, { parts: [first!._id] });
    await add('U1', id, [part]);
    const again = await ask('U1', 'POST', `/${id}/parts/restore`, { parts: [first!._id] });
    expect([again.body.code, again.body.values]).toEqual(['partThere', { title: 'paper' }]);
  });

  it('frees a place: a case has at most 2,000', async () => {
    const id = await made('U1');
    const values = Array.from({ length: 1999 }, (_, position) => ({
      ...{ case_id: id, position, kind: 'note' as const, title: 'n', remark: '', author: 'a', added: 0 },
    }));
    await db
      .insertInto('case_parts')
      .values(values.map((row) => ({ ...row, ...nothing })))
      .execute();
    const full = await add('U1', id, [note('a'), note('b')]);
    expect(full.body.text).toBe('A case has at most 2000 parts. Take some out first.');
    expect((await add('U1', id, [note('a')])).status).toBe(200);
  });
});

const nothing = {
  ...{ mission_id: null, subject_id: null },
  ...{ start_time: null, end_time: null, text: '', author_id: null },
};

describe('comments on a case', () => {
  const write = (who: Subject, id: string, text: string) =>
    ask<CaseComment & { code: string; text: string }>(who, 'POST', `/${id}/comments`, { text });

  it('are made by all readers but the guest, and shown in order to all of them', async () => {
    const id = await made('U1');
    const { body } = await write('GA', id, 'Two boats <b>');
    await write('U1', id, 'Three');
    expect(body).toEqual({
      ...{ _id: body._id, author: 'GA', own: true, text: 'Two boats <b>', created: expect.any(Number) },
      ...{ edited: null, struck: false },
    });
    expect((await comments('U1', id)).map(({ text, own }) => [text, own])).toEqual([
      ['Two boats <b>', false],
      ['Three', true],
    ]);
    expect((await read('A2', id)).body.comments).toBe(2);
    for (const text of ['', '  ', 'x'.repeat(2001)]) expect((await write('U1', id, text)).status).toBe(400);
    const guests = await addCase(db, { audience: 'groups' }, [server.groups.Demo]);
    expect((await write('guest', guests, 'x')).status).toBe(403);
    expect(await comments('guest', guests)).toEqual([]);
  });

  it('can be changed by their author for 15 minutes, then only struck through; the text stays', async () => {
    const id = await made('U1');
    const { _id } = (await write('GA', id, 'Tow boats')).body;
    const put = (who: Subject) =>
      ask<CaseComment & { code: string }>(who, 'PUT', `/${id}/comments/${_id}`, { text: 'Two boats' });
    const strike = (who: Subject) => ask<CaseComment>(who, 'DELETE', `/${id}/comments/${_id}`);

    expect((await put('U1')).status).toBe(403);
    expect((await put('GA')).body).toMatchObject({ text: 'Two boats', edited: expect.any(Number) });
    const created = (Date.now() - 16 * 60_000) * 1000;
    await db.updateTable('case_comments').set({ created }).execute();
    expect((await put('GA')).body.code).toBe('ruleRefused');
    expect((await strike('U1')).status).toBe(403);
    expect((await strike('GA')).body).toMatchObject({ text: 'Two boats', struck: true });
    expect((await strike('GA')).status).toBe(200);
    await db
      .updateTable('case_comments')
      .set({ created: Date.now() * 1000 })
      .execute();
    expect((await put('GA')).body.code).toBe('ruleRefused');

    const other = (await write('U1', id, 'Mine')).body._id;
    expect((await ask<CaseComment>('A2', 'DELETE', `/${id}/comments/${other}`)).body.struck).toBe(true);
    const elsewhere = await made('GA');
    expect((await ask('GA', 'DELETE', `/${elsewhere}/comments/${_id}`)).status).toBe(404);
  });

  it('do not make a name that is being changed an old version', async () => {
    const id = await made('U1');
    const { revision } = (await read('U1', id)).body;
    await write('GA', id, 'x');
    expect((await ask('U1', 'PUT', `/${id}`, { name: 'New', revision })).status).toBe(200);
    expect((await ask('U1', 'PUT', `/${id}`, { name: 'Late', revision })).body.code).toBe('revisionConflict');
  });
});

describe('the audit', () => {
  it('has a row for each change of a case, with ids and no words, and for each reading above UNCLASSIFIED', async () => {
    const { seq } = await db.selectFrom('audit').select('seq').orderBy('seq', 'desc').executeTakeFirstOrThrow();
    const id = await made('U1', { name: 'Secret words', securityClassification: 'RESTRICTED' });
    const [part] = (await add('U1', id, [note('Secret words', 'Secret words')])).body;
    await ask('U1', 'PUT', `/${id}/parts/${part!._id}`, { text: 'x', revision: 1 });
    const { revision } = (await read('U1', id)).body;
    await ask('U1', 'PUT', `/${id}/order`, { parts: [part!._id], revision });
    await ask('U1', 'DELETE', `/${id}/parts`, { parts: [part!._id] });
    await ask('U1', 'POST', `/${id}/parts/restore`, { parts: [part!._id] });
    const comment = (await ask<CaseComment>('U1', 'POST', `/${id}/comments`, { text: 'Secret words' })).body._id;
    await ask('U1', 'DELETE', '', { cases: [id] });
    await ask('U1', 'POST', '/restore', { cases: [id] });

    const rows = await db.selectFrom('audit').selectAll().where('seq', '>', seq).orderBy('seq').execute();
    expect(rows.map(({ action, item_id, item_label, result }) => [action, item_id, item_label, result])).toEqual([
      ['case.create', id, 2, '0 parts'],
      ['case.add', id, 2, `note ${part!._id}`],
      ['case.part', id, 2, `note ${part!._id}`],
      ['case.read', id, 2, null],
      ['case.order', id, 2, null],
      ['case.remove', id, 2, `note ${part!._id}`],
      ['case.putBack', id, 2, `note ${part!._id}`],
      ['case.comment', id, 2, `added ${comment}`],
      ['case.delete', id, 2, null],
      ['case.restore', id, 2, null],
    ]);
    expect(JSON.stringify(rows)).not.toContain('Secret words');
  });
});

describe('the extent of several boxes', () => {
  it.each([
    [[], null],
    [[[1, 2, 3, 4]], [1, 2, 3, 4]],
    [
      [
        [10, 0, 11, 1],
        [-10, -5, -9, 0],
      ],
      [-10, -5, 11, 1],
    ],
    // Across the antimeridian, which is narrower.
    [
      [
        [170, 0, 175, 1],
        [-178, 0, -170, 1],
      ],
      [170, 0, -170, 1],
    ],
    [
      [
        [179, 0, -179, 1],
        [-150, 0, -140, 1],
      ],
      [179, 0, -140, 1],
    ],
    // All around the globe.
    [[[-180, -90, 180, 90]], [-180, -90, 180, 90]],
  ] as [[number, number, number, number][], [number, number, number, number] | null][])('%j is %j', (boxes, extent) => {
    expect(extentOf(boxes)).toEqual(extent);
  });
});
