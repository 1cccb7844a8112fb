import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Either, ParseResult } from "effect"
import { assert, describe, it } from "vitest"
import { describeIssue } from "../src/IssueText.js"

const decode = ParseResult.decodeUnknownEither(SendRequest, { errors: "all", onExcessProperty: "error" })
const wrongIn = (body: unknown) =>
  Either.match(decode(body), { onLeft: (issue) => describeIssue(issue), onRight: () => ({}) })

const to = [{ email: "ada@example.com" }]
const email = { subject: "Hello", html: "<p>Hello</p>" }
const contactId = "01890a5d-ac96-774b-bcce-b302099a8057"
const request = { channel: "email", to, email }

const cases = {
  nothing: {},
  unknownTop: { ...request, color: "red" },
  unknownNested: { ...request, email: { ...email, body: "x" } },
  textForList: { ...request, to: "ada@example.com" },
  textForObject: { ...request, email: "hi" },
  listForObject: { ...request, email: [] },
  numberForText: { ...request, email: { ...email, subject: 5 } },
  nullForText: { ...request, email: { ...email, subject: null } },
  textForBool: { ...request, isTest: "yes" },
  badAddress: { ...request, to: [...to, { email: "nope" }] },
  numberAddress: { ...request, to: [{ email: 5 }] },
  badContact: { ...request, to: [{ contactId: "nope" }] },
  both: { ...request, to: [{ email: "ada@example.com", contactId }] },
  neither: { ...request, to: [{}] },
  bothWrong: { ...request, to: [{ email: "nope", contactId: "nope" }] },
  emptyTo: { ...request, to: [] },
  sms: { ...request, channel: "sms" },
  fax: { ...request, channel: "fax" },
  chan5: { ...request, channel: 5 },
  emailEmpty: { ...request, email: {} },
  emailEmptyAndOther: { ...request, email: {}, isTest: "yes" },
  emailEmptyAndOwn: { ...request, email: { text: 5 } },
  emailEmptyAndUnknown: { ...request, email: { body: "x" } },
  subjectWrongNoHtml: { ...request, email: { subject: 5 } },
  emptySubject: { ...request, email: { ...email, subject: "" } },
  crlfSubject: { ...request, email: { ...email, subject: "a\r\nb" } },
  longSubject: { ...request, email: { ...email, subject: "a".repeat(999) } },
  time: { ...request, scheduledAt: "tomorrow" },
  timeNumber: { ...request, scheduledAt: 5 },
  conv: { ...request, conversationId: "x" },
  header: { ...request, email: { ...email, headers: { Subject: "x", "X-A": "a\r\nb", "a b": "c", "X-N": 5 } } },
  header2: { ...request, email: { ...email, headers: { Subject: "x", "X-A": "a\r\nb", "a b": "c" } } },
  attach: { ...request, email: { ...email, attachments: [{ filename: "../a", content: "!", contentType: "x" }, {}] } },
  track: { ...request, email: { ...email, trackOpens: true } },
  tags: { ...request, tags: ["", 5] },
  key: { ...request, idempotencyKey: "" },
  many: { ...request, to: Array.from({ length: 51 }, (_, i) => ({ email: `a${i}@example.com` })) },
  manyAndOther: { ...request, isTest: 5, to: Array.from({ length: 51 }, (_, i) => ({ email: `a${i}@example.com` })) },
  arr: [],
  text: "x",
  nul: null,
  from: { ...request, email: { ...email, from: "Ada <nope>" } },
  longText: { ...request, email: { ...email, templateData: [] } },
  replyTo: { ...request, email: { ...email, replyTo: ["nope", 5] } }
}
it("x", () => {
  for (const [k, v] of Object.entries(cases)) console.log(k, JSON.stringify(wrongIn(v)))
})
