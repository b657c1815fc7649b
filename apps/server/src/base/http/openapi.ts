import { type Call, errorCatalogue, PRODUCT_VERSION } from '@osprey/contract';
import { z } from 'zod';
import { contractCalls } from './calls.ts';

type Schema = Record<string, unknown>;

/** Documents behaviour around uploads, updates and restarts that concerns several calls. */
export const BEYOND_CALLS =
  'Files come by POST missions/upload/{mission}/{sensor}, or by tus 1.0.0 at /api/uploads (archives of missions at ' +
  '/api/imports), which goes on where it stopped after a lost connection or a restart of the server. An original is kept ' +
  'byte for byte with its SHA-256, and read in the background; the event mission_update says how far that is. A restart ' +
  '(POST shutdown?restart) ends calls and sockets, which clients make again; recordings go on, unless force is given. POST ' +
  'update answers 404 while no source of updates is set.';

/** OpenAPI 3.1 of the whole contract. */
export function openApi(): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { name, call } of contractCalls()) {
    const path = `/api${call.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(name, call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Osprey',
      version: PRODUCT_VERSION,
      description: `Media server for full-motion video. ${BEYOND_CALLS}`,
    },
    servers: [{ url: '/' }],
    security: [{ basic: [] }],
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Password, or the device credential that login answers.' },
      },
      schemas: { Error: errorSchema },
    },
  };
}

const errorSchema: Schema = {
  type: 'object',
  required: ['code', 'status', 'text', 'values'],
  properties: {
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    status: { type: 'integer' },
    text: { type: 'string' },
    values: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return shape as Schema;
};

function operation(name: string, call: Call): Schema {
  const input = jsonSchema(call.input, 'input') as { properties?: Record<string, Schema> };
  const { params, query, body } = input.properties ?? {};
  return {
    operationId: name,
    ...summaryOf(call.summary),
    tags: [call.path.split('/')[1] ?? ''],
    ...(call.action === 'public.use' ? { security: [] } : {}),
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    ...(call.raw === 'form' ? { requestBody: formBody(call.form) } : {}),
    ...(call.raw === 'sdp' ? { requestBody: sdpBody } : {}),
    responses: { [call.raw === 'sdp' ? '201' : '200']: answerOf(call), ...failures(call) },
  };
}

/** Splits a text into a summary (its first sentence, which tools list in one line) and a description (the rest). */
function summaryOf(text: string): Schema {
  const end = text.search(/\. [A-Z0-9`]/);
  return end < 0 ? { summary: text } : { summary: text.slice(0, end), description: `${text.slice(end + 2)}.` };
}

const sdpBody: Schema = { required: true, content: { 'application/sdp': { schema: { type: 'string' } } } };

const anyFiles: Schema = {
  type: 'object',
  additionalProperties: { type: 'string', contentMediaType: 'application/octet-stream' },
};

const formBody = (form: z.ZodType | undefined): Schema => ({
  required: true,
  content: { 'multipart/form-data': { schema: form ? jsonSchema(form, 'input') : anyFiles } },
});

function parameters(part: Schema | undefined, place: 'path' | 'query'): Schema[] {
  const properties = (part?.properties ?? {}) as Record<string, Schema>;
  const required = (part?.required ?? []) as string[];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }));
}

function answerOf(call: Call): Schema {
  if (call.raw === 'media') return { description: 'Bytes', content: { '*/*': {} } };
  if (call.raw === 'sdp')
    return { description: 'Answer', content: { 'application/sdp': { schema: { type: 'string' } } } };
  return { description: 'Done', content: { 'application/json': { schema: jsonSchema(call.answer, 'output') } } };
}

function failures(call: Call): Schema {
  const byStatus = Map.groupBy(call.errors, (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `${code}: ${errorCatalogue[code].text}`).join(' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
