import {
  AppError,
  type Call,
  type ErrorCode,
  type Mission,
  newMissionForm,
  type Sensor,
  type Usergroup,
} from '@osprey/contract';
import type { z } from 'zod';
import type { Api, CallOptions } from '../api/api.ts';

export type Answer = (input: {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: never;
}) => unknown;
export type Answers = Record<string, Answer>;

/** Answer of a call with additional headers. */
export class WithHeaders {
  readonly answer: unknown;
  readonly headers: Record<string, string>;
  constructor(answer: unknown, headers: Record<string, string>) {
    this.answer = answer;
    this.headers = headers;
  }
}

/**
 * Creates an api whose answers are given by the test, keyed by "METHOD path". Inputs and answers are validated by the
 * schemas of the call, so that a test cannot use values that the server would not.
 */
export function fakeApi(answers: Answers) {
  const calls: { name: string; input: never }[] = [];
  const api: Api = {
    async call<Input extends z.ZodType, Out extends z.ZodType>(
      call: Call<Input, Out>,
      input: z.input<Input>,
      options: CallOptions = {},
    ) {
      const name = `${call.method} ${call.path}`;
      calls.push({ name, input: input as never });
      const answer = answers[name];
      if (!answer) throw new AppError('notFound');
      call.input.parse(input);
      const given = await answer(input as never);
      if (given instanceof WithHeaders) {
        options.onHeaders?.(new Headers(given.headers));
        return call.answer.parse(given.answer);
      }
      return call.answer.parse(given);
    },
  };
  return {
    api,
    calls,
    inputsOf: (name: string) => calls.filter((call) => call.name === name).map(({ input }) => input),
  };
}

export const refusing =
  (code: ErrorCode, values: Record<string, string> = {}): Answer =>
  () => {
    throw new AppError(code, values);
  };

let lastId = 0;
export function newId(): string {
  lastId += 1;
  return `00000000-0000-4000-8000-${String(lastId).padStart(12, '0')}`;
}

const START = 1_700_000_000_000_000;

export function sensorOf(fields: Partial<Sensor> = {}): Sensor {
  return {
    _id: newId(),
    missionId: newId(),
    name: 'EO/IR',
    description: '',
    type: 'video',
    state: 'Ready',
    creationTime: START,
    startTime: START,
    endTime: START + 60_000_000,
    recordingStartTime: START,
    recordingEndTime: START + 60_000_000,
    views: 1,
    thumbnail: null,
    hlsProps: null,
    assets: [],
    timeSource: 'klv',
    timeShift: 0,
    klv: { state: 'good', text: 'KLV good' },
    progress: null,
    message: null,
    ...fields,
  };
}

export function missionOf(fields: Partial<Mission> = {}): Mission {
  const { sensors: _sensors, ...form } = newMissionForm;
  return {
    ...form,
    _id: newId(),
    accessToken: null,
    thumbnail: null,
    state: 'Ready',
    creationTime: START,
    startTime: START,
    endTime: START + 60_000_000,
    recordingStartTime: START,
    recordingEndTime: START + 60_000_000,
    platformType: form.platform.type,
    platformId: null,
    securityClassification: 'UNCLASSIFIED',
    marked: true,
    sensors: [sensorOf()],
    views: 1,
    areaSqKm: null,
    place: null,
    sample: false,
    progress: null,
    message: null,
    hold: null,
    revision: 1,
    ...fields,
  };
}

export function usergroupOf(fields: Partial<Usergroup> = {}): Usergroup {
  return {
    _id: newId(),
    name: 'Demo',
    description: '',
    securityClassification: 'UNCLASSIFIED',
    liveModes: [],
    created: START,
    ...fields,
  };
}
