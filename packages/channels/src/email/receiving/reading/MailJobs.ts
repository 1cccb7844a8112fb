import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import type { RewriteQuestion, RewrittenMail } from "../../forwarding/RewriteFrom.js"
import type { SealQuestion } from "../../forwarding/SealArc.js"
import type { DkimQuestion, DkimVerdict } from "../authentication/CheckDkim.js"
import type { DmarcQuestion, DmarcVerdict } from "../authentication/CheckDmarc.js"
import type { SpfQuestion, SpfVerdict } from "../authentication/CheckSpf.js"
import type { Checked } from "../authentication/DnsKnown.js"

/** What a job is about; a mail's octets go over to the thread. */
interface Job<Input, Output> {
  readonly input: Input & { readonly raw?: ArrayBuffer }
  readonly output: Output
}

/** What a thread does with a mail: it computes alone, and waits for nobody. */
export interface MailJobs {
  readonly read: Job<{ readonly raw: ArrayBuffer }, ReadMail>
  readonly dkim: Job<DkimQuestion, Checked<DkimVerdict>>
  readonly spf: Job<SpfQuestion, Checked<SpfVerdict>>
  readonly dmarc: Job<DmarcQuestion, Checked<DmarcVerdict>>
  readonly seal: Job<SealQuestion, Checked<string>>
  readonly rewrite: Job<RewriteQuestion, RewrittenMail>
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
