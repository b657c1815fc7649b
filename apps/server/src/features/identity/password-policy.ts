import { AppError } from '@osprey/contract';
import { commonPasswords } from './common-passwords.ts';

/** @throws AppError passwordTooShort, passwordTooCommon */
export type CheckPassword = (password: string) => void;

/**
 * Checks the length of a new password, and a list of common passwords. There are no rules about kinds of characters.
 */
export function passwordPolicy(minimum: number): CheckPassword {
  return (password) => {
    if ([...password].length < minimum) throw new AppError('passwordTooShort', { minimum: String(minimum) });
    if (commonPasswords.has(password.toLowerCase())) throw new AppError('passwordTooCommon');
  };
}
