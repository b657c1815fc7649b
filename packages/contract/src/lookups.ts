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
  summary: 'Tags of the items visible to the caller, by the alphabet',
  action: 'lookup.read',
  input: z.object({ query: z.object({ category: z.string().max(32).optional() }) }),
  answer: z.array(z.string()),
  errors: ['notSignedIn'],
});

export const listCountryCodes = defineCall({
  method: 'GET',
  path: '/countryCodes',
  summary: 'All countries of ISO 3166-1, or with `used=1` those of the missions visible to the caller',
  action: 'lookup.read',
  input: z.object({ query: z.object({ used: z.string().max(5).optional() }) }),
  answer: z.array(z.object({ code: z.string(), name: z.string() })),
  errors: ['notSignedIn'],
});

export const listPlatformTypes = defineCall({
  method: 'GET',
  path: '/platformTypes',
  summary: 'Kinds of platform',
  action: 'lookup.read',
  input: z.object({}),
  answer: z.array(z.string()),
  errors: ['notSignedIn'],
});
