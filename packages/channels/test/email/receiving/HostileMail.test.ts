import { assert, describe, it } from "@effect/vitest"
import { MailReaderThread } from "@switchboard/channels/email/receiving/reading/MailReaderThread"
import { MailThreadsNode } from "@switchboard/channels/email/receiving/reading/MailThreads"
import { MailReader } from "@switchboard/services/email/receiving/ReadMail"
import { Effect, Layer } from "effect"
import { type HostileMail, told } from "./Corpus.js"
import { hostileContent } from "./HostileContent.js"
import { hostileHeaders } from "./HostileHeaders.js"
import { hostileStructure } from "./HostileStructure.js"

const corpus: ReadonlyArray<HostileMail> = [...hostileStructure, ...hostileHeaders, ...hostileContent]

const Reader = Layer.provide(MailReaderThread, MailThreadsNode)

/** What PostgreSQL takes in no text and in no JSON. */
const unstorable = /\0|\p{Surrogate}/u

/** All that is said of a mail, without its files. */
const texts = (mail: object) => JSON.stringify(mail, (key, value: unknown) => (key === "content" ? null : value))

describe("A mail of the hostile corpus", () => {
  it("has a name of its own, and company", () => {
    assert.isAtLeast(corpus.length, 300)
    assert.strictEqual(new Set(corpus.map(({ name }) => name)).size, corpus.length)
  })

  // The clock stands still: no mail of these is refused for its time.
  it.layer(Reader)((it) => {
    for (const { name, outcome, raw } of corpus) {
      it.effect(`${outcome instanceof RegExp ? "can't be read" : "is read"}: ${name}`, () =>
        Effect.gen(function* () {
          const { read } = yield* MailReader
          const reading = read(raw())
          if (outcome instanceof RegExp) {
            const said = Effect.match(reading, { onFailure: ({ message }) => message, onSuccess: () => "It is read" })
            assert.match(yield* said, outcome)
            return
          }
          const mail = yield* reading
          assert.deepInclude(told(mail), outcome)
          assert.notMatch(texts(mail), unstorable)
          assert.notMatch(texts(mail), /\\u0000|\\ud[89a-f]/i)
        })
      )
    }
  })
})
