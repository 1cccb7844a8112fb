import { MailReader, UnreadableMail } from "@switchboard/services/email/receiving/ReadMail"
import { Effect, Layer } from "effect"
import { ownCopy } from "./MailJobs.js"
import { MailThreads } from "./MailThreads.js"

/** Reads mail in a thread of its own: a mail that can't be read costs a few seconds there, and nothing here. */
export const MailReaderThread: Layer.Layer<MailReader, never, MailThreads> = Layer.effect(
  MailReader,
  Effect.map(MailThreads, ({ run }) => ({
    read: (raw: Uint8Array) =>
      Effect.mapError(
        Effect.suspend(() => run("read", { raw: ownCopy(raw) })),
        ({ message }) => new UnreadableMail({ message })
      )
  }))
)
