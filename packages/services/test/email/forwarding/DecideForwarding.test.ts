import { assert, it } from "@effect/vitest"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import {
  type ForwardingMatch,
  ForwardingRule,
  ForwardingRuleId
} from "@switchboard/domain/email/forwarding/ForwardingRule"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { forwardingOf, keptFor } from "@switchboard/services/email/forwarding/DecideForwarding"
import type { InboundMail, RecipientKind } from "@switchboard/services/email/receiving/InboundMail"
import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import { unreadMail } from "@switchboard/services/email/receiving/UnreadMail"
import { DateTime, Schema } from "effect"
import { v7 } from "uuid"

const address = Schema.decodeSync(EmailAddress)
const domainId = EmailDomainId.make(v7())
const organizationId = OrganizationId.make(v7())
const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")

const at = (to: string, kind: RecipientKind = { _tag: "Address", domainId }) => ({ address: address(to), kind })
const caught = (to: string) => at(to, { _tag: "CatchAll", domainId })
const answer = (to: string) => at(to, { _tag: "Reply", messageId: MessageId.make(v7()) })

const mailTo = (recipients: InboundMail["recipients"], mailFrom = "bounces@mail.example.com"): InboundMail => ({
  id: MessageId.make(v7()),
  organizationId,
  mailFrom,
  recipients,
  remoteAddress: "192.0.2.1",
  helo: "mx.example.com",
  tls: false,
  raw: new Uint8Array(),
  receivedAt: start
})

const read = (given: Partial<ReadMail> = {}): ReadMail => ({
  ...unreadMail(Buffer.from("From: Ada <Ada@Example.com>\r\nSubject: Your INVOICE\r\n\r\n"), "it was read"),
  ...given
})

const ruleFor = (match: ForwardingMatch, name: string, keepCopy = true) =>
  new ForwardingRule({
    id: ForwardingRuleId.make(v7()),
    organizationId,
    name,
    match,
    forwardTo: [address(`${name}@elsewhere.test`)],
    keepCopy,
    rewriteFrom: false,
    priority: 1,
    isActive: true,
    matchCount: 0,
    createdAt: start,
    updatedAt: start
  })

const none = new Map<EmailDomainId, ReadonlyArray<EmailAddress>>()

/** Who gets a mail by these rules, and for whom. */
const goes = (
  rules: ReadonlyArray<ForwardingRule>,
  recipients: InboundMail["recipients"],
  said: ReadMail = read(),
  catchAlls = none
) => forwardingOf(mailTo(recipients), said, { rules, catchAlls }).map((way) => [way.forwardTo, way.recipients])

it("All that a rule says must hold, whatever the case", () => {
  const help = at("Help@desk.test")
  for (const [match, isFor] of [
    [{ recipient: "help@desk.test" }, true],
    [{ recipient: "*@desk.test" }, true],
    [{ recipient: "*@sub.desk.test" }, false],
    [{ recipient: "elp@desk.test" }, false],
    [{ sender: "ada@example.com" }, true],
    [{ sender: "*@example.com" }, true],
    [{ sender: "bounces@mail.example.com" }, false],
    [{ subjectContains: "invoice" }, true],
    [{ subjectContains: "invoices" }, false],
    [{ recipient: "help@desk.test", sender: "eve@example.com" }, false],
    [{ recipient: "help@desk.test", sender: "ada@example.com", subjectContains: "YOUR" }, true]
  ] as const) {
    assert.lengthOf(goes([ruleFor(match, "x")], [help]), isFor ? 1 : 0, JSON.stringify(match))
  }
  // Who names nobody is whoever handed the mail in.
  const nobody = read({ from: { name: "", address: "" } })
  assert.lengthOf(goes([ruleFor({ sender: "*@mail.example.com" }, "x")], [help], nobody), 1)
})

it("The first rule counts, for each recipient by itself, and before a catch-all", () => {
  const first = ruleFor({ recipient: "help@desk.test" }, "first")
  const second = ruleFor({ recipient: "*@desk.test" }, "second")
  const catchAlls = new Map([[domainId, [address("all@elsewhere.test")]]])
  assert.deepStrictEqual(
    goes(
      [first, second],
      [at("help@desk.test"), at("sales@desk.test"), at("eu@desk.test"), caught("x@shop.test")],
      read(),
      catchAlls
    ),
    [
      [[address("first@elsewhere.test")], ["help@desk.test"]],
      [[address("second@elsewhere.test")], ["sales@desk.test", "eu@desk.test"]],
      [[address("all@elsewhere.test")], ["x@shop.test"]]
    ]
  )
  assert.deepStrictEqual(goes([], [at("help@desk.test"), caught("x@shop.test")]), [])
})

it("What comes back to a return path goes nowhere", () => {
  const all = ruleFor({ subjectContains: "invoice" }, "x")
  const bounce = at("b@bounce.desk.test", { _tag: "Bounce", messageId: MessageId.make(v7()) })
  assert.deepStrictEqual(goes([all], [bounce]), [])
})

it("Whoever wanted no copy gets none if it went on, and one if it reached nobody; an answer is always received", () => {
  const help = at("Help@desk.test")
  const reply = answer("r@desk.test")
  const other = at("other@desk.test")
  const all = [help, reply, other]
  const [way] = forwardingOf(mailTo([help, reply]), read(), {
    rules: [ruleFor({ recipient: "*@desk.test" }, "x", false)],
    catchAlls: none
  })
  const kept = (keepCopy: boolean, ...statuses: ReadonlyArray<"waiting" | "forwarded" | "failed" | "loop_blocked">) =>
    keptFor(
      all,
      statuses.map((status) => ({ recipients: way?.recipients ?? [], keepCopy, status }))
    )
  assert.deepStrictEqual(kept(false, "waiting"), [reply, other])
  assert.deepStrictEqual(kept(false, "failed", "forwarded"), [reply, other])
  assert.deepStrictEqual(kept(false, "failed", "failed"), all)
  assert.deepStrictEqual(kept(false, "loop_blocked"), all)
  assert.deepStrictEqual(kept(true, "forwarded"), all)
  assert.deepStrictEqual(kept(false), all)
})
