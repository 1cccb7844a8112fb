import { assert, describe, it } from "@effect/vitest"
import { MailReaderWorker } from "@switchboard/channels/email/receiving/reading/MailReaderWorker"
import { MailReader } from "@switchboard/services/email/receiving/ReadMail"
import { Effect, Layer } from "effect"
import { type HostileMail, summary } from "./Corpus.js"
import { hostileContent } from "./HostileContent.js"
import { hostileHeaders } from "./HostileHeaders.js"
import { hostileStructure } from "./HostileStructure.js"
import { sharedMimeWorkers } from "./MimeWorkers.js"

const corpus: ReadonlyArray<HostileMail> = [...hostileStructure, ...hostileHeaders, ...hostileContent]

const Reader = Layer.provide(MailReaderWorker, sharedMimeWorkers)

/** Characters that PostgreSQL rejects in text and JSON. */
const unstorable = /\0|\p{Surrogate}/u

/** The parsed mail as JSON, without the content of its parts. */
const texts = (mail: object) => JSON.stringify(mail, (key, value: unknown) => (key === "content" ? null : value))

describe("The hostile mail corpus", () => {
  it("has at least 300 mails with unique names", () => {
    assert.isAtLeast(corpus.length, 300)
    assert.strictEqual(new Set(corpus.map(({ name }) => name)).size, corpus.length)
  })

  // it.effect uses the TestClock, so no mail reaches the timeout.
  it.layer(Reader)((it) => {
    for (const { name, outcome, raw } of corpus) {
      it.effect(`${outcome instanceof RegExp ? "rejects" : "parses"} ${name}`, () =>
        Effect.gen(function* () {
          const { read } = yield* MailReader
          const reading = read(raw())
          if (outcome instanceof RegExp) {
            const message = Effect.match(reading, {
              onFailure: ({ message }) => message,
              onSuccess: () => "no failure"
            })
            assert.match(yield* message, outcome)
            return
          }
          const mail = yield* reading
          assert.deepInclude(summary(mail), outcome)
          assert.notMatch(texts(mail), unstorable)
          assert.notMatch(texts(mail), /\\u0000|\\ud[89a-f]/i)
        })
      )
    }
  })
})
