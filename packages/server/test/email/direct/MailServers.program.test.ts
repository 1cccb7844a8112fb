import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { filesOf, mxCertificate } from "@switchboard/channels/testing/Certificates"
import { Array, Context, Effect, Layer } from "effect"
import { accepted, LiveService, messageOf, settled, until } from "../../LiveService.js"
import { authenticator } from "../Authenticate.js"
import { mailboxDomain, noPostfix, postfix } from "../postfix/Postfix.js"
import { ReceivingService, verifiedDomain } from "../ReceivingService.js"
import { idOf, session } from "../submission/SubmissionService.js"
import { BuiltService, MxPort } from "./BuiltService.js"
import { exim, noExim } from "./Exim.js"

const eximDomain = "exim.test"
const maxSize = 200_000
const maxRecipients = 10
const users = ["ada", "late", ...Array.makeBy(25, (index) => `r${index}`)]

/** The folders of the mailboxes of both servers. */
class Mailboxes extends Context.Tag("test/Mailboxes")<
  Mailboxes,
  { readonly postfix: string; readonly exim: string; readonly endGreylisting: Effect.Effect<void> }
>() {}

/** Postfix and Exim, as the mail servers of a domain each. */
const Servers = Layer.scoped(
  Mailboxes,
  Effect.gen(function* () {
    const port = yield* MxPort
    const { zone } = yield* ReceivingService
    const { cert, key } = yield* filesOf(mxCertificate)
    const servers = [
      { domain: mailboxDomain, name: "mx.postfix.test", host: "127.0.3.1" },
      { domain: eximDomain, name: "mx.exim.test", host: "127.0.3.2" }
    ]
    for (const { domain, host, name } of servers) {
      zone[domain] = [{ type: "MX", priority: 10, exchange: name }]
      zone[name] = [{ type: "A", address: host }]
    }
    const { mailboxes } = yield* postfix({
      host: "127.0.3.1",
      port,
      users,
      settings: [
        "smtpd_tls_security_level = may",
        `smtpd_tls_cert_file = ${cert}`,
        `smtpd_tls_key_file = ${key}`,
        "smtpd_tls_received_header = yes",
        `message_size_limit = ${maxSize}`,
        `smtpd_recipient_limit = ${maxRecipients}`
      ]
    })
    const second = yield* exim({
      host: "127.0.3.2",
      port,
      domain: eximDomain,
      users,
      settings: [`message_size_limit = ${2 * maxSize}`, `recipients_max = ${maxRecipients}`]
    })
    return { postfix: mailboxes, exim: second.mailboxes, endGreylisting: second.endGreylisting }
  })
)

/** The mails of a mailbox (maildir), with the line ends that they had over SMTP. */
const mailsIn = (mailboxes: string, user: string): ReadonlyArray<string> => {
  const folder = join(mailboxes, user, "new")
  try {
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1").replaceAll("\n", "\r\n"))
  } catch {
    return []
  }
}

/** The mails with this text in mailboxes of a server; waits until there are so many. */
const arrived = (mailboxes: string, text: string, count = 1, of: ReadonlyArray<string> = ["ada"]) =>
  until(
    Effect.sync(() => of.flatMap((user) => mailsIn(mailboxes, user).filter((mail) => mail.includes(text)))),
    ({ length }) => length >= count
  )

const to = (...addresses: ReadonlyArray<string>) => ({ to: addresses.map((email) => ({ email })) })

interface Delivery {
  readonly recipient: string
  readonly status: string
  readonly smtpCode?: number
  readonly response?: string
  readonly reason?: string
}

/** Waits until no recipient is pending; returns the deliveries. */
const deliveriesOf = (id: string) =>
  Effect.map(
    until(messageOf(id), ({ emailMetadata }) =>
      emailMetadata.deliveries.every(({ status }: Delivery) => status !== "pending")
    ),
    ({ emailMetadata }): ReadonlyArray<Delivery> => emailMetadata.deliveries
  )

const obstacle = noPostfix || noExim
const Live = Layer.provideMerge(Servers, BuiltService)

describe.skipIf(obstacle !== "")(`The program delivers to the mail servers of recipients${obstacle}`, () => {
  layer(Live, { excludeTestServices: true, timeout: "1 minute" })("Postfix and Exim", (it) => {
    it.scoped("which store signed mail unchanged, over TLS with a self-signed certificate", () =>
      Effect.gen(function* () {
        const { zone } = yield* ReceivingService
        const servers = yield* Mailboxes
        yield* verifiedDomain("shop.test")
        const text = `Grüße\r\n.\r\n..dots\r\nFrom here \t \r\n${"long ".repeat(400)}\r\n\r\n`
        const { content, id } = yield* accepted(to(`ada@${mailboxDomain}`, `ada@${eximDomain}`), {
          from: "orders@shop.test",
          text
        })
        const { provider } = yield* settled(id, "delivered")
        assert.strictEqual(provider, "mx")
        const authenticate = yield* authenticator(zone)
        const signed: Array<string> = []
        for (const [mailboxes, tls] of [
          [servers.postfix, /\(using TLSv1\.3 with cipher /],
          [servers.exim, /with esmtps +\(TLS1\.3\)/]
        ] as const) {
          const [mail = "", ...more] = yield* arrived(mailboxes, content.subject)
          assert.deepStrictEqual(more, [])
          assert.match(mail, tls)
          assert.match(mail, /^Received: from out\.switchboard\.test|\(helo=out\.switchboard\.test\)/m)
          const { dkim, dmarc } = yield* authenticate(mail, "bounce@shop.test")
          assert.deepStrictEqual(
            [dkim.results.map(({ status }) => status.result), dmarc === false ? "" : String(dmarc.status.result)],
            [["pass"], "pass"]
          )
          signed.push(mail.slice(mail.indexOf("DKIM-Signature:")))
        }
        assert.strictEqual(signed[0], signed[1])
      })
    )

    it.scoped("with the result of each recipient: the codes of unknown users", () =>
      Effect.gen(function* () {
        const servers = yield* Mailboxes
        const recipients = [`gone@${mailboxDomain}`, `ada@${mailboxDomain}`, `gone@${eximDomain}`, `ada@${eximDomain}`]
        const { content, id } = yield* accepted(to(...recipients))
        const deliveries = yield* deliveriesOf(id)
        assert.deepStrictEqual(
          deliveries.map(({ reason, smtpCode, status }) => [status, smtpCode, reason]),
          [
            ["bounced", 550, "user_unknown"],
            ["delivered", 250, undefined],
            ["bounced", 550, "user_unknown"],
            ["delivered", 250, undefined]
          ]
        )
        assert.match(String(deliveries[0]?.response), /^550 5\.1\.1 .*User unknown/)
        assert.match(String(deliveries[2]?.response), /^550 Unrouteable address/)
        for (const mailboxes of [servers.postfix, servers.exim]) yield* arrived(mailboxes, content.subject)
      })
    )

    it.scoped("again to a recipient that was greylisted, and not to the others", () =>
      Effect.gen(function* () {
        const { endGreylisting, ...servers } = yield* Mailboxes
        const { content, id } = yield* accepted(to(`ada@${mailboxDomain}`, `late@${eximDomain}`, `ada@${eximDomain}`))
        const deferred = yield* until(messageOf(id), ({ retryCount }) => retryCount >= 2)
        assert.deepStrictEqual(
          deferred.emailMetadata.deliveries.map(({ reason, smtpCode, status }: Delivery) => [status, smtpCode, reason]),
          [
            ["delivered", 250, undefined],
            ["deferred", 450, "greylisted"],
            ["delivered", 250, undefined]
          ]
        )
        const { call } = yield* LiveService
        const { body: system } = yield* call("GET", "/v1/system")
        for (const { state } of system.destinations) assert.strictEqual(state, "closed")
        yield* endGreylisting
        yield* until(messageOf(id), ({ emailMetadata }) => emailMetadata.deliveries[1].status === "delivered")
        assert.lengthOf(yield* arrived(servers.exim, content.subject, 1, ["late"]), 1)
        assert.lengthOf(yield* arrived(servers.exim, content.subject), 1)
        assert.lengthOf(yield* arrived(servers.postfix, content.subject), 1)
      })
    )

    it.scoped("which refuse a mail that is larger than they declare", () =>
      Effect.gen(function* () {
        const servers = yield* Mailboxes
        const some = yield* accepted(to(`ada@${mailboxDomain}`, `ada@${eximDomain}`), { text: "x".repeat(maxSize + 1) })
        const deliveries = yield* deliveriesOf(some.id)
        assert.deepStrictEqual(
          deliveries.map(({ reason, smtpCode, status }) => [status, smtpCode, reason]),
          [
            ["bounced", 552, "message_too_large"],
            ["delivered", 250, undefined]
          ]
        )
        assert.match(String(deliveries[0]?.response), /^552 5\.3\.4 /)
        yield* arrived(servers.exim, some.content.subject)

        const none = yield* accepted(to(`ada@${eximDomain}`), { text: "x".repeat(2 * maxSize + 1) })
        const { emailMetadata, errorDetails } = yield* settled(none.id, "failed")
        assert.strictEqual(emailMetadata.deliveries[0].reason, "message_too_large")
        assert.deepInclude(errorDetails, {
          code: "message_refused",
          message: "552 Message size exceeds maximum permitted",
          details: { smtpCode: 552, reason: "message_too_large" }
        })
      })
    )

    it.scoped("once for each of 50 recipients, though the servers take 10 at a time", () =>
      Effect.gen(function* () {
        const servers = yield* Mailboxes
        const many = users.slice(2)
        const recipients = many.flatMap((user) => [`${user}@${mailboxDomain}`, `${user}@${eximDomain}`])
        const { content, id } = yield* accepted(to(...recipients))
        const message = yield* until(messageOf(id), ({ emailMetadata }) =>
          emailMetadata.deliveries.every(({ status }: Delivery) => status === "delivered")
        )
        assert.deepStrictEqual([message.emailMetadata.deliveries.length, message.retryCount], [50, 0])
        for (const mailboxes of [servers.postfix, servers.exim]) {
          yield* arrived(mailboxes, content.subject, many.length, many)
          for (const user of many) assert.lengthOf(yield* arrived(mailboxes, content.subject, 1, [user]), 1, user)
        }
      })
    )

    it.scoped("with SMTPUTF8, as a program submitted it", () =>
      Effect.gen(function* () {
        const { sender } = yield* LiveService
        const servers = yield* Mailboxes
        const client = yield* session
        yield* client.sendLine("MAIL FROM:<any@client.test> BODY=8BITMIME SMTPUTF8")
        for (const domain of [mailboxDomain, eximDomain]) yield* client.sendLine(`RCPT TO:<ada@${domain}>`)
        yield* client.sendLine("DATA")
        const lines = [`From: Jörg <${sender}>`, "To: ada@mailbox.test", "Subject: Grüße an alle", "", "Schöne Grüße"]
        const reply = yield* client.sendLine([...lines, "."].join("\r\n"))
        yield* settled(idOf(reply), "delivered")
        const subject = Buffer.from("\r\nSubject: Grüße an alle\r\n").toString("latin1")
        const [first = ""] = yield* arrived(servers.postfix, subject)
        assert.match(first, /with UTF8SMTPS /)
        const [second = ""] = yield* arrived(servers.exim, subject)
        assert.match(second, /with utf8esmtps /)
      })
    )
  })
})
