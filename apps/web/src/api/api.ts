import type { Call } from '@osprey/contract';
import { createContext, useContext } from 'react';
import type { z } from 'zod';

export type CallOptions = {
  signal?: AbortSignal;
  /** Headers of the answer, for calls that carry a cursor or a count there. */
  onHeaders?: (headers: Headers) => void;
  /** Sent in place of a JSON body, to calls that take a form. */
  form?: FormData;
  /** The answer is a text file. */
  asText?: boolean;
  /** Sent although the page is left meanwhile. */
  keepalive?: boolean;
};

/** Makes one call of the contract; rejects with the AppError that the server named, or with a TransportError. */
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
