import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import PostalMime from "postal-mime"
import { LiveService, relayed, until } from "../../LiveService.js"
import { authenticator } from "../Authenticate.js"
import { postfixDsn } from "../feedback/Reports.js"
import { deliver, ReceivingService, receivingDomain } from "../ReceivingService.js"

interface Entry {
  readonly ruleId?: string
  readonly messageId: string
  readonly forwardedTo: string
  readonly status: string
  readonly error?: string
}

/** A unique mail with 8-bit characters, a line that begins with a dot, and additional headers. */
const mailOf = (subject: string, ...headers: ReadonlyArray<string>) =>
  [
    ...headers,
    "From: Ada Lovelace <ada@example.com>",
    "To: help@desk.test",
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(" ", "-")}@example.com>`,
    "X-Odd:   spaced   out",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Größe",
    ".a dot",
    "end"
  ].join("\r\n")

const rule = Effect.fnUntraced(function* (fields: Readonly<Record<string, unknown>>) {
  const { call } = yield* LiveService
  const { body, status } = yield* call("POST", "/v1/email/forwarding/rules", { name: "A rule", ...fields })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body
})

/** Waits for the completed log entry of a mail to an address. */
const logged = (forwardedTo: string, isSo: (entry: Entry) => boolean = () => true) =>
  Effect.gen(function* () {
    const { call } = yield* LiveService
    const found = yield* until(
      Effect.map(call("GET", "/v1/email/forwarding/log?limit=100"), ({ body }): ReadonlyArray<Entry> => body.items),
      (items) => items.some((entry) => entry.forwardedTo === forwardedTo && isSo(entry))
    )
    return found.find((entry) => entry.forwardedTo === forwardedTo && isSo(entry)) ?? assert.fail("nothing")
  })

/** Waits for the mail to an address at the relay. */
const sunk = (recipient: string) => relayed(({ rcptTo }) => rcptTo.includes(recipient))

const messagesOf = Effect.fnUntraced(function* (subject: string) {
  const { call } = yield* LiveService
  const { body } = yield* call("GET", "/v1/messages?limit=100")
  const items: ReadonlyArray<{ id: string; direction: string; content: { subject: string } }> = body.items
  return items.filter(({ content, direction }) => direction === "inbound" && content.subject === subject)
})

const received = (subject: string) => until(messagesOf(subject), (found) => found.length > 0)

layer(ReceivingService.Shared, { excludeTestServices: true })("Forwarded mail", (it) => {
  it.effect("is unchanged except for its return path, and is also received", () =>
    Effect.gen(function* () {
      yield* receivingDomain("desk.test", { addresses: ["help", "gone"] })
      const { id: ruleId } = yield* rule({
        match: { recipient: "help@desk.test", sender: "*@EXAMPLE.com", subjectContains: "INVOICE" },
        forwardTo: ["accounting@elsewhere.test"]
      })
      const mail = mailOf("Your invoice 7")
      assert.match(yield* deliver("ada@example.com", "Help@desk.test", mail), /^250/)
      const forwarded = yield* sunk("accounting@elsewhere.test")
      assert.match(forwarded.mailFrom, /^f\+[0-9a-f-]{36}\.[0-9a-f]{20}@bounce\.desk\.test$/)
      assert.deepStrictEqual(forwarded.rcptTo, ["accounting@elsewhere.test"])
      const at = forwarded.raw.indexOf("From: Ada")
      assert.strictEqual(forwarded.raw.slice(at), `${mail}\r\n`)
      assert.match(
        forwarded.raw.slice(0, at),
        /^ARC-Seal: i=1; (?:.|\r\n\s)*\r\nARC-Message-Signature: i=1; (?:.|\r\n\s)*\r\nARC-Authentication-Results: i=1; (?:.|\r\n\s)*\r\nX-Switchboard-Forwarded: [0-9a-f-]{36}\.[0-9a-f]{20}\r\nReceived: from mx\.example\.com \(\[127\.0\.0\.1\]\)\r\n\tby mail\.switchboard\.test with ESMTP id [0-9a-f-]{36};\r\n\t\w{3}, .* \+0000\r\n$/
      )
      const entry = yield* logged("accounting@elsewhere.test")
      const [message] = yield* received("Your invoice 7")
      assert.deepInclude(entry, { ruleId, messageId: message?.id ?? "", status: "forwarded" })
      const { call } = yield* LiveService
      const { body } = yield* call("GET", "/v1/email/forwarding/rules")
      const counted = body.items.find((one: { readonly id: string }) => one.id === ruleId)
      assert.strictEqual(counted.matchCount, 1)
      assert.match(counted.lastMatchedAt, /Z$/)
      // Other mail is only received.
      assert.match(yield* deliver("ada@example.com", "help@desk.test", mailOf("A question")), /^250/)
      yield* received("A question")
      assert.strictEqual((yield* LiveService).mails.filter(({ parsed }) => parsed.subject === "A question").length, 0)

      // A bounce sets the log entry; the original sender gets no notification, and other replies are ignored.
      assert.match(
        yield* deliver("", forwarded.mailFrom, mailOf("Out of office", "Auto-Submitted: auto-replied")),
        /^250/
      )
      const unknownUser = { action: "failed", status: "5.1.1", diagnostic: "550 5.1.1 no such user" }
      const dsn = postfixDsn(forwarded.mailFrom, "accounting@elsewhere.test", unknownUser)
      const foreign = forwarded.mailFrom.replace(/[0-9a-f]{20}@/, `${"0".repeat(20)}@`)
      assert.match(yield* deliver("", foreign, dsn), /^550 5\.1\.1/)
      assert.match(yield* deliver("", forwarded.mailFrom, dsn), /^250/)
      const failed = yield* logged("accounting@elsewhere.test", ({ status }) => status === "failed")
      assert.strictEqual(failed.error, "550 5.1.1 no such user")
      assert.deepStrictEqual(yield* messagesOf("Undelivered Mail Returned to Sender"), [])
      assert.deepStrictEqual(yield* messagesOf("Out of office"), [])
      assert.lengthOf(yield* messagesOf("Your invoice 7"), 1)
    })
  )

  it.effect("follows the first active rule, but not to blocked addresses and not again", () =>
    Effect.gen(function* () {
      const domain = "sales.test"
      yield* receivingDomain(domain, { addresses: ["eu", "blocking", "pong"] })
      const { call, mails } = yield* LiveService
      const subjectsTo = (recipient: string) =>
        mails.flatMap(({ parsed, rcptTo }) => (rcptTo.includes(recipient) ? [parsed.subject] : []))
      const ruleOf = (local: string, forwardTo: ReadonlyArray<string>, fields: object = {}) =>
        rule({ match: { recipient: `${local}@${domain}` }, forwardTo, keepCopy: false, ...fields })
      yield* ruleOf("*", ["second@elsewhere.test"], { priority: 200 })
      yield* ruleOf("eu", ["off@elsewhere.test"], { priority: 1, isActive: false })
      yield* ruleOf("eu", ["first@elsewhere.test", "perm550@elsewhere.test"])
      assert.match(yield* deliver("", `eu@${domain}`, mailOf("To sales")), /^250/)
      // A notification has a null reverse-path.
      assert.strictEqual((yield* sunk("first@elsewhere.test")).mailFrom, "")
      const refused = { status: "failed", error: "550 5.1.1 no such user" }
      assert.deepInclude(yield* logged("perm550@elsewhere.test"), refused)
      assert.strictEqual((yield* logged("first@elsewhere.test")).status, "forwarded")

      const { body: block } = yield* call("POST", "/v1/email/blocks", { email: "Blocked@elsewhere.test" })
      yield* ruleOf("blocking", ["blocked@elsewhere.test"])
      assert.match(yield* deliver("ada@example.com", `blocking@${domain}`, mailOf("To the blocked")), /^250/)
      const entry = yield* logged("blocked@elsewhere.test")
      const [message] = yield* received("To the blocked")
      const messageId = message?.id ?? ""
      assert.deepInclude(entry, { status: "failed", error: "The address is blocked (manual)", messageId })
      const logs = (yield* call("GET", "/v1/email/blocks/logs")).body.items
      assert.deepInclude(logs[0], { blockId: block.id, messageId, action: "blocked" })
      const { body } = yield* call("GET", "/v1/email/blocks/check?email=blocked@elsewhere.test")
      assert.strictEqual(body.block.hitCount, 1)

      yield* ruleOf("pong", ["away@elsewhere.test"])
      assert.match(yield* deliver("ada@example.com", `pong@${domain}`, mailOf("Round and round")), /^250/)
      const { mailFrom, raw } = yield* sunk("away@elsewhere.test")
      // The recipient forwards all mail back.
      assert.match(yield* deliver(mailFrom, `pong@${domain}`, raw), /^250/)
      const looping = yield* logged("away@elsewhere.test", ({ status }) => status === "loop_blocked")
      assert.match(looping.error ?? "", /was forwarded by the same rule/)
      const found = yield* received("Round and round")
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        [looping.messageId]
      )
      assert.deepStrictEqual(yield* messagesOf("To sales"), [])
      assert.deepStrictEqual(
        ["second", "off", "blocked", "away"].map((local) => subjectsTo(`${local}@elsewhere.test`)),
        [[], [], [], ["Round and round"]]
      )
    })
  )

  it.effect("is received if all forwardings failed", () =>
    Effect.gen(function* () {
      yield* receivingDomain("lost.test", { addresses: ["help"] })
      yield* rule({
        match: { recipient: "help@lost.test" },
        forwardTo: ["perm550.one@elsewhere.test", "data554@elsewhere.test"],
        keepCopy: false
      })
      assert.match(yield* deliver("ada@example.com", "help@lost.test", mailOf("Undeliverable")), /^250/)
      const [message] = yield* received("Undeliverable")
      assert.deepInclude(yield* logged("data554@elsewhere.test"), {
        status: "failed",
        messageId: message?.id ?? ""
      })
    })
  )

  it.effect("of a catch-all goes to its forwardTo, and is counted", () =>
    Effect.gen(function* () {
      const domain = "caught.test"
      yield* receivingDomain(domain, { catchAll: true, addresses: ["known"] })
      const { call } = yield* LiveService
      yield* call("PATCH", "/v1/email/catch-all/config", {
        domain,
        forwardTo: ["catcher@elsewhere.test"],
        exclude: ["no-reply"]
      })
      assert.match(yield* deliver("ada@example.com", "anything@caught.test", mailOf("Caught")), /^250/)
      assert.match(yield* deliver("ada@example.com", "known@caught.test", mailOf("Not caught")), /^250/)
      assert.match(yield* deliver("ada@example.com", "No-Reply@caught.test", mailOf("Refused")), /^550 5\.1\.1/)
      const entry = yield* logged("catcher@elsewhere.test")
      assert.strictEqual(entry.status, "forwarded")
      assert.notProperty(entry, "ruleId")
      yield* received("Caught")
      const { body } = yield* until(
        call("GET", `/v1/email/catch-all/stats?domain=${domain}`),
        ({ body }) => body.rejected === 1 && body.forwarded === 1
      )
      assert.deepStrictEqual(body, {
        domain,
        received: 1,
        forwarded: 1,
        rejected: 1,
        last24Hours: 1,
        last30Days: 1
      })
    })
  )

  it.scoped("has an ARC seal of the forwarding domain, also after another seal", () =>
    Effect.gen(function* () {
      const domain = "sealing.test"
      yield* receivingDomain(domain, { addresses: ["one", "two"] })
      const { zone } = yield* ReceivingService
      const authenticated = yield* authenticator(zone)
      const chainOf = (raw: string) =>
        Effect.map(authenticated(raw), ({ arc }) =>
          arc === false ? assert.fail("no chain") : { i: arc.i, result: arc.status.result }
        )
      yield* rule({ match: { recipient: `one@${domain}` }, forwardTo: ["sealed@elsewhere.test"] })
      yield* rule({ match: { recipient: `two@${domain}` }, forwardTo: ["again@elsewhere.test"] })
      assert.match(yield* deliver("ada@example.com", `one@${domain}`, mailOf("Sealed")), /^250/)
      const first = yield* sunk("sealed@elsewhere.test")
      assert.deepStrictEqual(yield* chainOf(first.raw), { i: 1, result: "pass" })
      const [seal = ""] = first.raw.split("\r\nARC-Message-Signature:", 1)
      for (const tag of [/\bi=1;/, /\bd=sealing\.test;/, /\bcv=none;/]) assert.match(seal, tag)
      assert.match(
        first.raw,
        /ARC-Authentication-Results: i=1; mail\.switchboard\.test;\r\n spf=\w+ smtp\.mailfrom=example\.com;/
      )

      assert.match(yield* deliver("ada@example.com", `two@${domain}`, first.raw), /^250/)
      const second = yield* sunk("again@elsewhere.test")
      assert.deepStrictEqual(yield* chainOf(second.raw), { i: 2, result: "pass" })

      // With an invalid ARC chain the mail is forwarded without a new seal.
      yield* rule({ match: { sender: "eve@example.com" }, forwardTo: ["broken@elsewhere.test"], priority: 1 })
      const changed = first.raw.replace("From: Ada Lovelace <ada@example.com>", "From: Eve <eve@example.com>")
      assert.match(yield* deliver("eve@example.com", `two@${domain}`, changed), /^250/)
      const broken = yield* sunk("broken@elsewhere.test")
      assert.notMatch(broken.raw, /ARC-Seal: i=2/)
    })
  )

  it.scoped("passes DMARC of the forwarding domain if the rule rewrites From of a sender with p=reject", () =>
    Effect.gen(function* () {
      const domain = "rewriting.test"
      yield* receivingDomain(domain, { addresses: ["help", "plain"] })
      const { zone } = yield* ReceivingService
      zone["_dmarc.reject.test"] = [{ type: "TXT", chunks: ["v=DMARC1; p=reject"] }]
      yield* rule({
        match: { recipient: `help@${domain}` },
        forwardTo: ["rewritten@elsewhere.test"],
        rewriteFrom: true
      })
      yield* rule({ match: { recipient: `plain@${domain}` }, forwardTo: ["plain@elsewhere.test"] })
      const authenticated = yield* authenticator(zone)
      const forwarded = Effect.fnUntraced(function* (
        to: string,
        subject: string,
        from: string,
        ...headers: Array<string>
      ) {
        const mail = mailOf(subject, ...headers).replace("Ada Lovelace <ada@example.com>", from)
        assert.match(
          yield* deliver("ann@reject.test", `${to}@${domain}`, mail, from.includes("ö") ? "latin1" : "utf8"),
          /^250/
        )
        const { raw } = yield* relayed(({ parsed }) => parsed.subject === subject)
        const { dkim, dmarc } = yield* authenticated(raw)
        const signers = dkim.results.flatMap(({ signingDomain, status }) =>
          status.result === "pass" ? [signingDomain] : []
        )
        const result = dmarc === false ? "none" : [dmarc.domain, dmarc.status.result]
        return { raw, mail, signers, result }
      })

      const ann = "Ann <ann@reject.test>"
      const foreign = "DKIM-Signature: v=1; a=rsa-sha256; d=reject.test; s=gone; h=from; bh=; b="
      const first = yield* forwarded("help", "Rewritten", ann, foreign)
      assert.include(first.raw, `\r\nFrom: "Ann via ${domain}" <help@${domain}>\r\n`)
      assert.include(first.raw, `\r\nReply-To: ${ann}\r\nX-Original-From: ${ann}\r\n`)
      assert.lengthOf(first.raw.match(/^From:/gim) ?? [], 1)
      assert.include(first.raw, `\r\n${foreign}\r\n`)
      assert.notMatch(first.raw, /^ARC-Seal:/m)
      assert.include(first.raw, first.mail.slice(first.mail.indexOf("To: help")))
      assert.deepStrictEqual(first.signers, [domain])
      assert.deepStrictEqual(first.result, [domain, "pass"])

      const encoded = "=?UTF-8?Q?J=C3=B6rg_=22J=22?=\r\n <ann@reject.test>, bob@reject.test"
      const second = yield* forwarded("help", "With a Reply-To", encoded, "Reply-To: <list@reject.test>")
      assert.lengthOf(second.raw.match(/^Reply-To:/gm) ?? [], 1)
      assert.include(second.raw, "\r\nReply-To: <list@reject.test>\r\n")
      assert.include(second.raw, `\r\nX-Original-From: ${encoded}\r\n`)
      const parsed = yield* Effect.promise(() => PostalMime.parse(second.raw))
      assert.deepStrictEqual(parsed.from, { name: `Jörg "J" via ${domain}`, address: `help@${domain}` })

      const third = yield* forwarded("help", "Raw octets", "Jörg <ann@reject.test>")
      assert.strictEqual((yield* Effect.promise(() => PostalMime.parse(third.raw))).from?.name, `Jörg via ${domain}`)
      const fourth = yield* forwarded("help", "Without a name", "ann@reject.test")
      assert.include(fourth.raw, `\r\nFrom: "ann@reject.test via ${domain}" <help@${domain}>\r\n`)

      for (const unchanged of [
        yield* forwarded("plain", "Without the option", ann),
        yield* forwarded("help", "Without a policy", "Ada <ada@nothing.test>")
      ]) {
        assert.isTrue(unchanged.raw.endsWith(`${unchanged.mail}\r\n`))
        assert.match(unchanged.raw, /^ARC-Seal:/)
      }
    })
  )
})
