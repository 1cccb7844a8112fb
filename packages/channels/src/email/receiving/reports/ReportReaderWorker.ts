import { ReportReader } from "@switchboard/services/email/reports/MailReportRepo"
import { Effect, Layer } from "effect"
import { MimeWorkerPool } from "../reading/MimeWorkerPool.js"

/** Reads reports in worker threads, so that a malicious report can't block or crash the process. */
export const ReportReaderWorker: Layer.Layer<ReportReader, never, MimeWorkerPool> = Layer.effect(
  ReportReader,
  Effect.map(MimeWorkerPool, ({ run }) => ({
    read: (files: ReadonlyArray<Uint8Array>) =>
      Effect.catchAll(run("reports", { files }), ({ message }) => Effect.succeed({ reports: [], problems: [message] }))
  }))
)
