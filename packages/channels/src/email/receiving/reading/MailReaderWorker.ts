import { MailReader, UnreadableMail } from "@switchboard/services/email/receiving/ReadMail"
import { Effect, Layer } from "effect"
import { transferableCopy } from "./MailJobs.js"
import { MimeWorkerPool } from "./MimeWorkerPool.js"

/** Parses mail in worker threads, so that a malicious mail can't block or crash the process. */
export const MailReaderWorker: Layer.Layer<MailReader, never, MimeWorkerPool> = Layer.effect(
  MailReader,
  Effect.map(MimeWorkerPool, ({ run }) => ({
    read: (raw: Uint8Array) =>
      Effect.mapError(
        Effect.suspend(() => run("read", { raw: transferableCopy(raw) })),
        ({ message }) => new UnreadableMail({ message })
      )
  }))
)
