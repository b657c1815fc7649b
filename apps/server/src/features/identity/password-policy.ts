import { AppError } from '@osprey/contract';
import { commonPasswords } from './common-passwords.ts';

/** @throws AppError passwordTooShort, passwordTooCommon */
export type CheckPassword = (password: string) => void;

/** Length and a list of what everybody tries first; no rules of composition. */
export function passwordPolicy(minimum: number): CheckPassword {
  return (password) => {
    if ([...password].length < minimum) throw new AppError('passwordTooShort', { minimum: String(minimum) });
    if (commonPasswords.has(password.toLowerCase())) throw new AppError('passwordTooCommon');
  };
}
