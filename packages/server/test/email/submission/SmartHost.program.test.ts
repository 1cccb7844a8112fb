import { existsSync, readdirSync } from "node:fs"
import { assert, describe, layer } from "@effect/vitest"
import { skipReason } from "@switchboard/domain/testing/Programs"
import { Effect } from "effect"
import { LiveService, relayed, settled, until } from "../../LiveService.js"
import { noPostfix, postfix } from "../postfix/Postfix.js"
import { idOf, rawMail, SubmissionService } from "./SubmissionService.js"

/** Whether the SASL library has the mechanism PLAIN. */
const hasPlain = ["/usr/lib", ...readdirSync("/usr/lib").map((folder) => `/usr/lib/${folder}`)].some((folder) =>
  existsSync(`${folder}/sasl2/libplain.so.2`)
)

const obstacle = noPostfix || skipReason(hasPlain, "SASL PLAIN", "apt-get install libsasl2-modules")

const Live = SubmissionService.layer((settings) => LiveService.layer(settings))

describe.skipIf(obstacle !== "")(`Postfix as a client${obstacle}`, () => {
  layer(Live, { excludeTestServices: true })("of the submission server", (it) => {
    it.scoped("relays mail of sendmail with STARTTLS and AUTH, and bounces refused mail with the reason", () =>
      Effect.gen(function* () {
        const { key, sender } = yield* LiveService
        const { startTls } = yield* SubmissionService
        const { log, sendmail } = yield* postfix({ relay: { port: startTls, key } })

        yield* sendmail("root@host.test", "ada@world.test", rawMail(sender).join("\n"))
        const sent = yield* until(log, (text) => /status=sent .*Accepted as/.test(text))
        yield* settled(idOf(sent), "delivered")
        const mail = yield* relayed(({ parsed }) => parsed.subject === "Raw")
        assert.deepStrictEqual(mail.rcptTo, ["ada@world.test"])
        assert.include(mail.raw, "Received: by mx.postfix.test")

        yield* sendmail("root@host.test", "ada@world.test", rawMail("forged@other.test").join("\n"))
        const bounced = yield* until(log, (text) => text.includes("status=bounced"))
        assert.match(bounced, /status=bounced .*550 5\.7\.1 The address in From must be a verified sender/)
      })
    )
  })
})
