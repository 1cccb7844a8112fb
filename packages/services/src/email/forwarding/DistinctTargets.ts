import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"

/** Removes repeated addresses; the first spelling stays. */
export const distinctTargets = (given: ReadonlyArray<EmailAddress>): ReadonlyArray<EmailAddress> =>
  [...new Map([...given].reverse().map((address) => [addressKey(address), address])).values()].reverse()
