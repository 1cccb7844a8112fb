import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import type { ReadReports } from "@switchboard/services/email/reports/MailReportRepo"
import type { RewriteInput, RewrittenMail } from "../../forwarding/RewriteFrom.js"
import type { SealInput } from "../../forwarding/SealArc.js"
import type { DkimInput, DkimVerdict } from "../authentication/CheckDkim.js"
import type { DmarcInput, DmarcVerdict } from "../authentication/CheckDmarc.js"
import type { SpfInput, SpfVerdict } from "../authentication/CheckSpf.js"
import type { CheckResult } from "../authentication/CheckWithDns.js"

/** The input and output of a job. `raw` is transferred to the worker, not copied. */
interface Job<Input, Output> {
  readonly input: Input & { readonly raw?: ArrayBuffer }
  readonly output: Output
}

/** The jobs of a worker thread. They compute only, without I/O. */
export interface MailJobs {
  readonly read: Job<{ readonly raw: ArrayBuffer }, ReadMail>
  readonly reports: Job<{ readonly files: ReadonlyArray<Uint8Array> }, ReadReports>
  readonly dkim: Job<DkimInput, CheckResult<DkimVerdict>>
  readonly spf: Job<SpfInput, CheckResult<SpfVerdict>>
  readonly dmarc: Job<DmarcInput, CheckResult<DmarcVerdict>>
  readonly seal: Job<SealInput, CheckResult<string>>
  readonly rewrite: Job<RewriteInput, RewrittenMail>
}
export type MailJobName = keyof MailJobs

/** The message that is posted to a worker. */
export type MailJob = {
  [Name in MailJobName]: { readonly name: Name; readonly input: MailJobs[Name]["input"] }
}[MailJobName]

/** The message that a worker posts back. */
export type MailJobResult<Name extends MailJobName> =
  | { readonly done: true; readonly output: MailJobs[Name]["output"] }
  | { readonly done: false; readonly message: string }

/** A copy of the octets in its own buffer, which can be transferred to a worker. */
export const transferableCopy = (raw: Uint8Array): ArrayBuffer => new Uint8Array(raw).buffer
