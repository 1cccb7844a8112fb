import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"

/** A mail's octets, which go over to the thread. */
export interface RawInput {
  readonly raw: ArrayBuffer
}

/** What a thread does with a mail: it computes alone, and waits for nobody. */
export interface MailJobs {
  readonly read: { readonly input: RawInput; readonly output: ReadMail }
}
export type MailJobName = keyof MailJobs

/** A job on its way to a thread. */
export type MailJob = {
  [Name in MailJobName]: { readonly name: Name; readonly input: MailJobs[Name]["input"] }
}[MailJobName]

/** How it came back: done, or why not. */
export type MailJobAnswer<Name extends MailJobName> =
  | { readonly done: true; readonly output: MailJobs[Name]["output"] }
  | { readonly done: false; readonly message: string }

/** Octets that nobody else holds a view of, to be given away. */
export const ownCopy = (raw: Uint8Array): ArrayBuffer => new Uint8Array(raw).buffer
