import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"

/** Each address once, as it was given first. */
export const distinctTargets = (given: ReadonlyArray<EmailAddress>): ReadonlyArray<EmailAddress> =>
  [...new Map([...given].reverse().map((address) => [addressKey(address), address])).values()].reverse()
