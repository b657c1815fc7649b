import { z } from 'zod';
import { defineCall } from './core/call.ts';

export const platformTypes = [
  'Plane',
  'Helicopter',
  'Quadcopter',
  'ROV',
  'Camera',
  'Diver',
  'Ship',
  'Vehicle',
  'Balloon',
  'Satellite',
  'Mast',
  'Other',
] as const;

export const listTags = defineCall({
  method: 'GET',
  path: '/tags',
  summary: 'Lists the tags of items visible to the caller, in alphabetical order',
  action: 'lookup.read',
  input: z.object({ query: z.object({ category: z.string().max(32).optional() }) }),
  answer: z.array(z.string()),
  errors: ['notSignedIn'],
});

export const listCountryCodes = defineCall({
  method: 'GET',
  path: '/countryCodes',
  summary: 'Lists all countries of ISO 3166-1, or with `used=1` those of missions visible to the caller',
  action: 'lookup.read',
  input: z.object({ query: z.object({ used: z.string().max(5).optional() }) }),
  answer: z.array(z.object({ code: z.string(), name: z.string() })),
  errors: ['notSignedIn'],
});

export const listPlatformTypes = defineCall({
  method: 'GET',
  path: '/platformTypes',
  summary: 'Lists the types of platforms',
  action: 'lookup.read',
  input: z.object({}),
  answer: z.array(z.string()),
  errors: ['notSignedIn'],
});
