import { bytes, type HostileMail, lines, mailOf } from "./Corpus.js"

const mixed = (boundary: string, body: string) => mailOf([`Content-Type: multipart/mixed; boundary=${boundary}`], body)

const part = (type: string, content: string, ...headers: ReadonlyArray<string>) =>
  lines("--b", `Content-Type: ${type}`, ...headers, "", content)

/** Nested multiparts around one text part. */
const nested = (depth: number) => {
  const levels = Array.from({ length: depth }, (_, level) => level)
  return bytes(
    [
      "From: ada@example.com\r\n",
      ...levels.map((level) => `Content-Type: multipart/mixed; boundary=b${level}x\r\n\r\n--b${level}x\r\n`),
      "\r\ndeep\r\n",
      ...levels.reverse().map((level) => `--b${level}x--\r\n`)
    ].join("")
  )
}

/** Nested message/rfc822 parts. */
const forwarded = (depth: number) => {
  let mail = "Subject: innermost\r\n\r\nHello"
  for (let level = depth; level > 0; level--) {
    mail = `Subject: ${level}\r\nContent-Type: message/rfc822\r\n\r\n${mail}`
  }
  return bytes(mail)
}

const nesting: ReadonlyArray<HostileMail> = [
  ...[1, 2, 5, 10, 20, 31].map((depth) => ({
    name: `${depth} nested multiparts`,
    raw: () => nested(depth),
    outcome: { text: "deep" }
  })),
  ...[33, 34, 50, 100, 255, 499, 1_000, 2_000].map((depth) => ({
    name: `${depth} nested multiparts`,
    raw: () => nested(depth),
    outcome: /nesting depth/
  })),
  { name: "30,000 nested multiparts", raw: () => nested(30_000), outcome: /nesting depth/ },
  ...[1, 2, 10, 11, 50, 500, 5_000].map((depth) => ({
    name: `${depth} nested mails`,
    raw: () => forwarded(depth),
    outcome: { subject: "1", text: "", parts: ["message/rfc822 null"] }
  })),
  {
    name: "an enclosed mail with the boundary of the outer one",
    raw: () =>
      mixed(
        "b",
        part("message/rfc822", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ninner\r\n--b--\r\n")
      ),
    outcome: { text: "inner" }
  },
  ...[2, 10, 99].map((count) => ({
    name: `a digest of ${count} mails`,
    raw: () =>
      mailOf(
        ["Content-Type: multipart/digest; boundary=b"],
        `${"--b\r\n\r\nSubject: x\r\n\r\ny\r\n".repeat(count)}--b--`
      ),
    outcome: { parts: Array.from({ length: count }, () => "message/rfc822 null") }
  }))
]

const amounts: ReadonlyArray<HostileMail> = [
  ...[10, 100, 999].map((count) => ({
    name: `${count} empty parts`,
    raw: () => mixed("b", "--b\r\n\r\n".repeat(count)),
    outcome: { text: "", parts: [] }
  })),
  ...[1_002, 10_000, 100_000, 1_000_000].map((count) => ({
    name: `${count} empty parts`,
    raw: () => mixed("b", "--b\r\n\r\n".repeat(count)),
    outcome: /too many parts/
  })),
  {
    name: "100,000 parts with a boundary in continuations",
    raw: () => mailOf(["Content-Type: multipart/mixed; boundary*0=a; boundary*1=b"], "--ab\r\n\r\n".repeat(100_000)),
    outcome: /too many parts/
  },
  {
    name: "100,000 parts with a boundary with backslashes",
    raw: () => mixed('"a\\b"', "--ab\r\n\r\n".repeat(100_000)),
    outcome: /too many parts/
  },
  ...[1, 50, 100, 101, 500, 999].map((count) => ({
    name: `${count} attachments`,
    raw: () => mixed("b", `${part("application/pdf", "x").repeat(count)}--b--`),
    outcome: { sizes: Array.from({ length: count }, () => 1) }
  })),
  {
    name: "1,000 attachments",
    raw: () => mixed("b", part("application/pdf", "x").repeat(1_000)),
    outcome: /too many parts/
  },
  {
    name: "5,000 lines of dashes that are no delimiters",
    raw: () => mixed("b", `--b\r\n\r\n${"--------\r\n".repeat(5_000)}`),
    outcome: { textSize: 45_000 }
  },
  {
    name: "20,000 lines of a patch",
    raw: () => mailOf([], "--- a/file\r\n+++ b/file\r\n".repeat(10_000)),
    outcome: { textSize: 220_000 }
  },
  { name: "600,001 lines", raw: () => mailOf([], "\r\n".repeat(600_001)), outcome: { textSize: 600_001 } },
  { name: "2 million line feeds", raw: () => mailOf([], "\n".repeat(2_000_000)), outcome: { textSize: 2_000_000 } },
  { name: "15 million lines", raw: () => mailOf([], "a\n".repeat(15_000_000)), outcome: { textSize: 2_000_000 } },
  {
    name: "5 million lines of dashes",
    raw: () => mixed("b", "--a\n".repeat(5_000_000)),
    outcome: { textSize: 2_000_000 }
  },
  {
    name: "3 million delimiters that are followed by text",
    raw: () => mixed("b", `--b\r\n\r\n${"--b c\r\n".repeat(3_000_000)}`),
    outcome: { textSize: 1_714_286 }
  },
  { name: "500,000 empty lines", raw: () => mailOf([], "\r\n".repeat(500_000)), outcome: { textSize: 500_000 } }
]

/** A multipart of one part with the text "inside", with this boundary parameter and delimiter. */
const delimited = (
  name: string,
  written: string,
  delimiter: string,
  outcome: HostileMail["outcome"] = { text: "inside" }
): HostileMail => ({
  name,
  raw: () => mixed(written, lines("before", `--${delimiter}`, "", "inside", `--${delimiter}--`, "after")),
  outcome
})

const emptyMail = { text: "", parts: [] }

const boundaries: ReadonlyArray<HostileMail> = [
  delimited("a boundary in quotes", '"a b"', "a b"),
  delimited("a boundary with a comment after it", "b (of mine)", "b"),
  delimited("a boundary of all allowed special characters", '"\'()+_,-./:=?"', "'()+_,-./:=?"),
  delimited("a boundary of 70 characters", "b".repeat(70), "b".repeat(70)),
  delimited("a boundary of 10 KB", "b".repeat(10_000), "b".repeat(10_000)),
  delimited("a boundary of 100 KB", "b".repeat(100_000), "b".repeat(100_000)),
  delimited("a boundary in continuations", '""; boundary*0=a; boundary*1=b', "ab"),
  delimited("a boundary only in continuations", 'x; boundary*0="a"; boundary*1="b"', "ab"),
  delimited("two boundaries, with the delimiter of the first", "b; boundary=c", "b"),
  delimited("two boundaries, with the delimiter of the second", "b; boundary=c", "c"),
  delimited("an empty boundary", '""', "", { text: "before\n--\n\ninside\n----\nafter" }),
  delimited("a missing boundary", "; charset=utf-8", "b"),
  {
    name: "a missing boundary in a part",
    raw: () => mixed("b", "--b\r\nContent-Type: multipart/alternative\r\n\r\n--c\r\n\r\ninside\r\n--c--\r\n--b--"),
    outcome: { text: "inside" }
  },
  delimited("a boundary that differs from the delimiter", "b", "c"),
  delimited("a delimiter that is a prefix of the boundary", "ab", "a"),
  delimited("a boundary that is a prefix of the delimiter", "a", "ab"),
  delimited("a boundary in another case", "B", "b"),
  delimited("a boundary of dashes", "----", "----"),
  delimited("a boundary that ends with dashes", '"b--"', "b--"),
  delimited("a boundary of a space", '" "', " "),
  delimited("a boundary with a NUL", "b\0c", "b\0c"),
  delimited("a boundary of 8-bit characters", "\xe9", "\xe9"),
  delimited("a boundary with an unclosed quote", '"b', "b"),
  delimited("a boundary named constructor", "constructor", "constructor"),
  {
    name: "a delimiter followed by white space",
    raw: () => mixed("b", "--b \t \r\n\r\ninside\r\n--b-- \t\r\n"),
    outcome: { text: "inside" }
  },
  {
    name: "a delimiter followed by text",
    raw: () => mixed("b", "--b\r\n\r\ninside\r\n--b or not\r\nstill\r\n--b--"),
    outcome: { text: "inside\n--b or not\nstill" }
  },
  {
    name: "a close delimiter first",
    raw: () => mixed("b", "--b--\r\n\r\n--b\r\n\r\ninside"),
    outcome: { text: "inside" }
  },
  {
    name: "a multipart without a body",
    raw: () => mailOf(["Content-Type: multipart/mixed; boundary=b"], ""),
    outcome: emptyMail
  },
  {
    name: "a multipart without a close delimiter",
    raw: () => mixed("b", "--b\r\n\r\ninside"),
    outcome: { text: "inside" }
  },
  {
    name: "a multipart that ends with a delimiter",
    raw: () => mixed("b", "--b\r\n\r\ninside\r\n--b"),
    outcome: { text: "inside" }
  },
  {
    name: "nested multiparts with the same boundary",
    raw: () =>
      mixed("b", "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ninside\r\n--b--\r\n--b--"),
    outcome: { text: "inside" }
  },
  {
    name: "a boundary that is a prefix of the nested one",
    raw: () =>
      mixed(
        "b",
        "--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n\r\none\r\n--bb--\r\n--b\r\n\r\ntwo\r\n--b--"
      ),
    outcome: { text: "one\n\ntwo" }
  },
  {
    name: "a multipart with Content-Transfer-Encoding base64",
    raw: () =>
      mailOf(
        ["Content-Type: multipart/mixed; boundary=b", "Content-Transfer-Encoding: base64"],
        "--b\r\n\r\ninside\r\n--b--"
      ),
    outcome: { text: "inside" }
  },
  ...[
    "mixed",
    "alternative",
    "related",
    "signed",
    "encrypted",
    "parallel",
    "form-data",
    "x-unknown",
    "",
    "report",
    "MIXED"
  ].map((kind) => ({
    name: `a multipart/${kind}`,
    raw: () => mailOf([`Content-Type: multipart/${kind}; boundary=b`], "--b\r\n\r\ninside\r\n--b--"),
    outcome: { text: "inside" }
  }))
]

/** A delivery report, whose parts are returned for every multipart subtype. */
const report = (name: string, headers: ReadonlyArray<string>): HostileMail => ({
  name,
  raw: () =>
    mailOf(
      headers,
      `${part("text/plain", "Sorry")}${part("message/delivery-status", "Reporting-MTA: dns; mx\r\n\r\nAction: failed")}${part("message/rfc822", "Subject: mine\r\n\r\nx")}--b--`
    ),
  outcome: {
    text: "Sorry",
    parts: ["message/delivery-status null", "message/rfc822 null"],
    contents: ["Reporting-MTA: dns; mx\r\n\r\nAction: failed", "Subject: mine\r\n\r\nx"]
  }
})

const reports: ReadonlyArray<HostileMail> = [
  report("a report", ["Content-Type: multipart/report; report-type=delivery-status; boundary=b"]),
  report("a report in multipart/mixed", ["Content-Type: multipart/mixed; boundary=b"]),
  report("a report in multipart/alternative", ["Content-Type: multipart/alternative; boundary=b"]),
  report("a report in multipart/related", ["Content-Type: multipart/related; boundary=b"]),
  ...(
    [
      ["message/feedback-report", "Feedback-Type: abuse"],
      ["text/rfc822-headers", "Subject: mine"],
      ["message/disposition-notification", "Disposition: manual-action"],
      ["message/global-delivery-status", "Action: failed"],
      ["message/partial", "one of many"],
      ["message/external-body", "Content-Type: text/plain"],
      ["message/delivery-status", "Action: failed"],
      ["message/rfc822", "Subject: mine"]
    ] as const
  ).flatMap(
    ([type, content]): ReadonlyArray<HostileMail> => [
      {
        name: `${type} in a multipart`,
        raw: () => mixed("b", `${part(type, content)}--b--`),
        outcome: { parts: [`${type} null`], contents: [content] }
      },
      {
        name: `${type} as the only part`,
        raw: () => mailOf([`Content-Type: ${type}`], content),
        outcome: { parts: [`${type} null`], contents: [content] }
      },
      {
        name: `${type} in base64`,
        raw: () => mixed("b", part(type, Buffer.from(content).toString("base64"), "Content-Transfer-Encoding: base64")),
        outcome: { parts: [`${type} null`], contents: [content] }
      },
      {
        name: `${type} with disposition inline`,
        raw: () => mixed("b", part(type, content, "Content-Disposition: inline")),
        outcome: { parts: [`${type} null`], contents: [content], inline: ["null true"] }
      }
    ]
  )
]

export const hostileStructure = [...nesting, ...amounts, ...boundaries, ...reports]
