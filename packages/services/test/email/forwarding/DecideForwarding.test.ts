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
import { forwardingOf, recipientsToReceive } from "@switchboard/services/email/forwarding/Forwarding"
import type { InboundMail, RecipientKind } from "@switchboard/services/email/receiving/InboundMail"
import { unparsedMail } from "@switchboard/services/email/receiving/ProcessInbound"
import type { ReadMail } from "@switchboard/services/email/receiving/ReadMail"
import { DateTime, Schema } from "effect"
import { v7 } from "uuid"

const address = Schema.decodeSync(EmailAddress)
const domainId = EmailDomainId.make(v7())
const organizationId = OrganizationId.make(v7())
const start = DateTime.unsafeMake("2026-01-01T00:00:00.000Z")

const at = (to: string, kind: RecipientKind = { _tag: "Address", domainId }) => ({ address: address(to), kind })
const atCatchAll = (to: string) => at(to, { _tag: "CatchAll", domainId })
const atReplyAddress = (to: string) => at(to, { _tag: "Reply", messageId: MessageId.make(v7()) })

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
  ...unparsedMail(Buffer.from("From: Ada <Ada@Example.com>\r\nSubject: Your INVOICE\r\n\r\n"), "it was read"),
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

/** The forwarding addresses and the original recipients that the rules select. */
const forwardTargets = (
  rules: ReadonlyArray<ForwardingRule>,
  recipients: InboundMail["recipients"],
  mail: ReadMail = read(),
  catchAlls = none
) =>
  forwardingOf(mailTo(recipients), mail, { rules, catchAlls }).map((forwarding) => [
    forwarding.forwardTo,
    forwarding.recipients
  ])

it("matches a rule only if all its conditions hold, ignoring case", () => {
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
    assert.lengthOf(forwardTargets([ruleFor(match, "x")], [help]), isFor ? 1 : 0, JSON.stringify(match))
  }
  // Without a From address, the envelope sender is compared.
  const withoutFrom = read({ from: { name: "", address: "" } })
  assert.lengthOf(forwardTargets([ruleFor({ sender: "*@mail.example.com" }, "x")], [help], withoutFrom), 1)
})

it("applies the first matching rule to each recipient, and a catch-all only without a rule", () => {
  const first = ruleFor({ recipient: "help@desk.test" }, "first")
  const second = ruleFor({ recipient: "*@desk.test" }, "second")
  const catchAlls = new Map([[domainId, [address("all@elsewhere.test")]]])
  assert.deepStrictEqual(
    forwardTargets(
      [first, second],
      [at("help@desk.test"), at("sales@desk.test"), at("eu@desk.test"), atCatchAll("x@shop.test")],
      read(),
      catchAlls
    ),
    [
      [[address("first@elsewhere.test")], ["help@desk.test"]],
      [[address("second@elsewhere.test")], ["sales@desk.test", "eu@desk.test"]],
      [[address("all@elsewhere.test")], ["x@shop.test"]]
    ]
  )
  assert.deepStrictEqual(forwardTargets([], [at("help@desk.test"), atCatchAll("x@shop.test")]), [])
})

it("does not forward mail to a return path", () => {
  const all = ruleFor({ subjectContains: "invoice" }, "x")
  const bounce = at("b@bounce.desk.test", { _tag: "Bounce", messageId: MessageId.make(v7()) })
  assert.deepStrictEqual(forwardTargets([all], [bounce]), [])
})

it("stores no copy for a rule without keepCopy unless forwarding failed, and always stores replies", () => {
  const help = at("Help@desk.test")
  const reply = atReplyAddress("r@desk.test")
  const other = at("other@desk.test")
  const all = [help, reply, other]
  const [forwarding] = forwardingOf(mailTo([help, reply]), read(), {
    rules: [ruleFor({ recipient: "*@desk.test" }, "x", false)],
    catchAlls: none
  })
  const copiesFor = (
    keepCopy: boolean,
    ...statuses: ReadonlyArray<"waiting" | "forwarded" | "failed" | "loop_blocked">
  ) =>
    recipientsToReceive(
      all,
      statuses.map((status) => ({ recipients: forwarding?.recipients ?? [], keepCopy, status }))
    )
  assert.deepStrictEqual(copiesFor(false, "waiting"), [reply, other])
  assert.deepStrictEqual(copiesFor(false, "failed", "forwarded"), [reply, other])
  assert.deepStrictEqual(copiesFor(false, "failed", "failed"), all)
  assert.deepStrictEqual(copiesFor(false, "loop_blocked"), all)
  assert.deepStrictEqual(copiesFor(true, "forwarded"), all)
  assert.deepStrictEqual(copiesFor(false), all)
})
