import type { Call } from '@osprey/contract';
import { createContext, useContext } from 'react';
import type { z } from 'zod';

export type CallOptions = {
  signal?: AbortSignal;
  /** Called with the headers of the response, for calls that return a cursor or a count there. */
  onHeaders?: (headers: Headers) => void;
  /** Form to send instead of a JSON body, for calls that accept a form. */
  form?: FormData;
  /** Whether the response is a text file. */
  asText?: boolean;
  /** Whether the request is completed even if the user leaves the page. */
  keepalive?: boolean;
};

/** Makes one call of the contract. Rejects with the AppError that the server returned, or with a TransportError. */
export type Api = {
  call<Input extends z.ZodType, Answer extends z.ZodType>(
    call: Call<Input, Answer>,
    input: z.input<Input>,
    options?: CallOptions,
  ): Promise<z.output<Answer>>;
};

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error('useApi needs an ApiContext above it');
  return api;
}
