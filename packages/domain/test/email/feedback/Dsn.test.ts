import { isPermanent, readDsn } from "@switchboard/domain/email/feedback/DeliveryReport"
import { assert, describe, it } from "vitest"

const part = (text: string, contentType = "message/delivery-status") => ({
  contentType,
  content: new TextEncoder().encode(text.replace(/^\n/, "").replace(/\n/g, "\r\n"))
})
const read = (text: string) => readDsn([part("Sorry", "text/plain"), part(text)])

/** As Postfix writes it (bounce_notify_util.c). */
const postfix = `
Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4A1B2C3D4E
X-Postfix-Sender: rfc822; b+x@bounce.example.org
Arrival-Date: Thu,  1 Jan 2026 00:00:00 +0000 (UTC)

Final-Recipient: rfc822; ada@mail.example.com
Original-Recipient: rfc822;Ada@example.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 5.1.1 <ada@mail.example.com>: Recipient address
    rejected: User unknown in virtual mailbox table
`

describe("A delivery status notification", () => {
  it("is parsed with codes and response, the original recipient first", () => {
    assert.deepStrictEqual(read(postfix), [
      {
        addresses: ["Ada@example.com", "ada@mail.example.com"],
        action: "failed",
        smtpCode: 550,
        enhancedCode: "5.1.1",
        response: "550 5.1.1 <ada@mail.example.com>: Recipient address rejected: User unknown in virtual mailbox table",
        reason: "user_unknown"
      }
    ])
  })

  it("is parsed for each recipient", () => {
    const report = read(`
Reporting-MTA: dns;mx.example.com

Final-Recipient: rfc822;ada@example.com
Action: failed
Status: 5.2.2

Final-Recipient: rfc822;bob@example.com
Action: delayed
Status: 4.4.1
Will-Retry-Until: Thu, 1 Jan 2026 00:00:00 +0000

Final-Recipient: rfc822;cyd@example.com
Action: delivered
Status: 2.0.0

Final-Recipient: rfc822;dan@example.com
Action: relayed (to a host that tells no more)
Status: 2.0.0

Final-Recipient: rfc822;list@example.com
Action: expanded
Status: 2.0.0
`)
    assert.deepStrictEqual(
      report.map(({ action, addresses, response }) => [addresses.join(), action, response]),
      [
        ["ada@example.com", "failed", "5.2.2"],
        ["bob@example.com", "delayed", "4.4.1"],
        ["cyd@example.com", "delivered", "2.0.0"],
        ["dan@example.com", "relayed", "2.0.0"],
        ["list@example.com", "expanded", "2.0.0"]
      ]
    )
  })

  const cases: ReadonlyArray<readonly [name: string, fields: string, expected: string]> = [
    [
      "with a delivered action in upper case",
      "FINAL-RECIPIENT: RFC822; ada@example.com\nACTION: DELIVERED\nSTATUS: 2.0.0",
      "delivered 2.0.0: 2.0.0"
    ],
    ["in upper case", "FINAL-RECIPIENT: RFC822; ada@example.com\nACTION: FAILED\nSTATUS: 5.1.1", "failed 5.1.1: 5.1.1"],
    [
      "with comments",
      "Final-Recipient: rfc822; <ada@example.com> (Ada)\nAction: failed (permanently)\nStatus: 5.1.1 (bad mailbox)",
      "failed 5.1.1: 5.1.1"
    ],
    [
      "with a folded value",
      "Final-Recipient: rfc822;\n ada@example.com\nAction:\n\tfailed\nStatus: 5.1.1",
      "failed 5.1.1: 5.1.1"
    ],
    [
      "with the code only in the diagnostic text (Exchange, sendmail)",
      "Final-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound",
      "failed 5.1.10: 550 5.1.10 RESOLVER.ADR.RecipientNotFound"
    ],
    [
      "with a diagnostic text without an enhanced code",
      "Final-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 No such user",
      "failed 5.1.1: 550 5.1.1 No such user"
    ],
    [
      "with a diagnostic text that contradicts the status",
      "Final-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.7.1 Blocked",
      "failed 5.7.1: 550 5.7.1 Blocked"
    ],
    [
      "with a diagnostic text that is not from SMTP",
      "Final-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 5.4.4\nDiagnostic-Code: X-Postfix; Host not found",
      "failed 5.4.4: 5.4.4 Host not found"
    ],
    [
      "with a transient status after days of retries",
      "Final-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 4.4.7\nDiagnostic-Code: smtp; 451 4.4.7 Timed out",
      "failed 4.4.7 for now: 451 4.4.7 Timed out"
    ],
    ["without an action", "Final-Recipient: rfc822;ada@example.com\nStatus: 5.1.1", "failed 5.1.1: 5.1.1"],
    [
      "without an address type",
      "Final-Recipient: ada@example.com\nAction: failed\nStatus: 5.1.1",
      "failed 5.1.1: 5.1.1"
    ],
    [
      "without the blank line between message and recipient fields",
      "Reporting-MTA: dns;x\nFinal-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 5.1.1",
      "failed 5.1.1: 5.1.1"
    ],
    [
      "with the action failure and a reply as the status",
      "Final-Recipient: rfc822;ada@example.com\nAction: failure\nStatus: 552 Exceeded the maximum size",
      "failed null: 552 Exceeded the maximum size"
    ],
    ["with an unknown action", "Final-Recipient: rfc822;ada@example.com\nAction: eaten\nStatus: 5.1.1", ""],
    ["without action and status", "Final-Recipient: rfc822;ada@example.com", ""]
  ]
  for (const [name, fields, expected] of cases) {
    it(`${name} is ${expected === "" ? "ignored" : "parsed"}`, () => {
      const report = read(fields)
      assert.strictEqual(
        report
          .map((one) => `${one.action} ${one.enhancedCode}${isPermanent(one) ? "" : " for now"}: ${one.response}`)
          .join(),
        expected
      )
      for (const { addresses } of report) assert.deepStrictEqual(addresses, ["ada@example.com"])
    })
  }

  it("is parsed for recipients without an empty line between them, and from several parts", () => {
    const group = (recipient: string, status: string) =>
      `Original-Recipient: rfc822;${recipient}\nFinal-Recipient: rfc822;${recipient}\nAction: failed\nStatus: ${status}\n`
    const report = readDsn([
      part(`Reporting-MTA: dns;x\n\n${group("ada@example.com", "5.2.2")}${group("bob@example.com", "5.1.1")}`),
      part(
        `Action: failed\nFinal-Recipient: rfc822;cyd@example.com\nStatus: 5.1.2\n\n${group("dan@example.com", "5.7.1")}`
      )
    ])
    assert.deepStrictEqual(
      report.map(({ addresses, reason }) => `${addresses.join()} ${reason}`),
      [
        "ada@example.com mailbox_full",
        "bob@example.com user_unknown",
        "cyd@example.com host_unknown",
        "dan@example.com policy"
      ]
    )
  })

  it("decodes a hexadecimal-encoded plus sign in an address", () => {
    const [one] = read("Original-Recipient: rfc822;ada+2Bnews@example.com\nAction: failed\nStatus: 5.1.1")
    assert.deepStrictEqual(one?.addresses, ["ada+2Bnews@example.com", "ada+news@example.com"])
  })

  it("parses an internationalized address (RFC 6533)", () => {
    const report = readDsn([
      part(
        "Final-Recipient: utf-8; jürgen@bücher.example\nAction: failed\nStatus: 5.1.1",
        "message/global-delivery-status; charset=utf-8"
      )
    ])
    assert.deepStrictEqual(report[0]?.addresses, ["jürgen@bücher.example"])
  })

  it("is truncated and sanitized", () => {
    const [one] = read(
      `Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 a\0b ${"😀".repeat(100_000)}`
    )
    assert.strictEqual(one?.response.slice(0, 14), "550 5.1.1 a b ")
    assert.isAtMost(one?.response.length ?? 0, 1_000)
    assert.isTrue(/^[^\ud800-\udfff]*(?:[\ud800-\udbff][\udc00-\udfff])*$/.test(one?.response ?? "\ud800"))
  })

  it("is not detected without its MIME part", () => {
    assert.deepStrictEqual(readDsn([]), [])
    assert.deepStrictEqual(readDsn([part(postfix, "text/plain")]), [])
    assert.deepStrictEqual(read("\n\n"), [])
  })
})
