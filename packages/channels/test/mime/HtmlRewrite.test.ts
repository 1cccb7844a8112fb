import { assert, describe, it } from "@effect/vitest"
import { rewriteHtml } from "@switchboard/channels/mime/HtmlRewrite"
import { atOnce } from "@switchboard/services/Slices"
import PostalMime from "postal-mime"

/** A mail of lines whose characters are octets. */
const mailOf = (...lines: ReadonlyArray<string>) => Buffer.from(lines.join("\r\n"), "latin1")

const octetsOf = (text: string) => Buffer.from(text).toString("latin1")

const tracked = (html: string) => html.replace(/<\/p>/g, "<img></p>")

const rewritten = (mail: Buffer, rewrite = tracked) => atOnce(rewriteHtml(mail, rewrite)).toString("latin1")

/** A mail of one HTML part. */
const htmlMail = (type: string, encoding: string, ...body: ReadonlyArray<string>) =>
  mailOf("Subject: Hello", `Content-Type: text/html${type}`, `Content-Transfer-Encoding: ${encoding}`, "", ...body)

const related = [
  'Content-Type: multipart/related; boundary="b-1"',
  "",
  "--b-1",
  "Content-Type: text/html",
  "",
  "<p>Hello</p>",
  "--b-1",
  'Content-Type: image/gif; name="</p>"',
  "Content-Transfer-Encoding: base64",
  "",
  "R0lG  ",
  "ODlh",
  "",
  "--b-1--  ",
  "</p>"
]

const nested = [
  "Subject:   Hello ",
  "Content-Type: multipart/mixed;",
  "\tboundary=b",
  "",
  "Preamble </p>",
  "--b",
  "Content-Type: multipart/alternative; boundary=b-2",
  "",
  "--b-2",
  "",
  "Plain </p>  ",
  "--b-2",
  ...related,
  "--b-2--",
  "",
  "--b\t",
  "Content-Type: text/html",
  "Content-Disposition: attachment; filename=a.html",
  "",
  "<p>Attached</p>",
  "--b",
  "Content-Type: message/rfc822",
  "",
  "Content-Type: text/html",
  "",
  "<p>Forwarded</p>",
  "--b",
  "Content-Type: TEXT/HTML; charset=us-ascii",
  "content-disposition: inline",
  "",
  "<p>Footer</p>",
  "",
  "--b--",
  "Epilogue </p>"
]

describe("The HTML of a mail", () => {
  it("is rewritten in nested multiparts; attachments, attached mails and all other octets stay", () => {
    const expected = nested.map((line) => (/Hello<|Footer</.test(line) ? tracked(line) : line))
    assert.deepStrictEqual(rewritten(mailOf(...nested)).split("\r\n"), expected)
  })

  const kept: ReadonlyArray<readonly [label: string, encoding: string, body: string]> = [
    ["; charset=utf-8", "8bit", octetsOf("<p>Grüße</p>\r\n")],
    ["; charset=utf-8", "8bit", octetsOf("\ufeff<p>Grüße</p>\r\n")],
    ["", "7bit", octetsOf("<p>Grüße</p>\r\n")],
    ["; charset=iso-8859-1", "8bit", "<p>Gr\xfc\xdfe \x80</p>\r\n"],
    ["; charset=x-unknown", "8bit", "<p>Gr\xfc\xdfe</p>\r\n"],
    ['; charset="Shift_JIS"', "8bit", "<p>\x82\xa8\x90\xa2\x98b \x83\x5c</p>\r\n"],
    ["; charset=gb2312", "8bit", "<p>\xc4\xe3\xba\xc3</p>"],
    ["; charset=koi8-r", "8bit", "<p>\xf0\xd2\xc9</p>"]
  ]
  for (const [label, encoding, body] of kept) {
    it(`keeps its charset and encoding (${label}, ${JSON.stringify(body)})`, () => {
      const mail = htmlMail(label, encoding, body)
      assert.strictEqual(rewritten(mail), mail.toString("latin1").replace("</p>", "<img></p>"))
    })
  }

  it("stays quoted-printable, in its charset", async () => {
    const result = rewritten(htmlMail("; charset=windows-1252", "Quoted-Printable", "<p>Gr=FC=DFe=20=", "=A9</p>", ""))
    assert.include(result, "; charset=windows-1252\r\nContent-Transfer-Encoding: Quoted-Printable\r\n")
    assert.include(result, "\r\n\r\n<p>Gr=FC=DFe =A9<img></p>\r\n")
    assert.strictEqual((await PostalMime.parse(Buffer.from(result, "latin1"))).html, "<p>Grüße ©<img></p>\n")
  })

  it("stays base64, in lines of 76 characters", async () => {
    const html = `<p>${"Grüße ".repeat(20)}</p>\n`
    const result = rewritten(htmlMail("; charset=utf-8", "base64", Buffer.from(html).toString("base64"), ""))
    assert.isTrue(result.split("\r\n").every(({ length }) => length <= 76))
    assert.strictEqual((await PostalMime.parse(Buffer.from(result, "latin1"))).html, tracked(html))
  })

  it("becomes quoted-printable if a line has more than 998 octets", async () => {
    const long = (html: string) => html.replace("</p>", `<a href="https://shop.test/${"a".repeat(970)}"></a></p>`)
    const mail = mailOf("Content-Type: text/html; charset=utf-8", "Subject: a", "", octetsOf("<p>Grüße</p>"))
    const result = rewritten(mail, long)
    assert.isTrue(result.split("\r\n").every(({ length }) => length <= 76))
    assert.match(result, /^Content-Type: .*\r\nSubject: a\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n/)
    assert.strictEqual((await PostalMime.parse(Buffer.from(result, "latin1"))).html, `${long("<p>Grüße</p>")}\n`)
    const shorter = (html: string) => html.replace("</p>", `${"a".repeat(983)}</p>`)
    assert.notInclude(rewritten(mail, shorter), "quoted-printable")
  })

  it("becomes UTF-8 if its charset can't be encoded", async () => {
    for (const [label, field] of [
      ['; charset="ISO-2022-JP"', "; charset=utf-8"],
      [";\r\n charset=iso-2022-jp; x=1", ";\r\n charset=utf-8; x=1"],
      ["", "; charset=utf-8"]
    ] as const) {
      const result = rewritten(htmlMail(label, "7bit", "<p>\x1b$B$*@$OC\x1b(B</p>", ""))
      assert.include(result, `Content-Type: text/html${field}\r\nContent-Transfer-Encoding: quoted-printable\r\n`)
      assert.strictEqual((await PostalMime.parse(Buffer.from(result, "latin1"))).html, "<p>お世話<img></p>\n")
    }
  })
})

describe("A mail stays as it came", () => {
  const multipart = (type: string, ...lines: ReadonlyArray<string>) => [
    `Content-Type: ${type}`,
    "",
    "--b",
    "Content-Type: text/html",
    "",
    "<p>Hello</p>",
    ...lines
  ]
  const base64 = Buffer.from("<p>Hello</p>").toString("base64")
  const rows: ReadonlyArray<readonly [condition: string, lines: ReadonlyArray<string>]> = [
    ["is signed", multipart("multipart/signed; boundary=b", "--b--")],
    ["is encrypted", multipart("Multipart/Encrypted; boundary=b", "--b--")],
    ["is S/MIME", ["Content-Type: application/pkcs7-mime; smime-type=signed-data", "", "<p>Hello</p>"]],
    ["is text", ["Content-Type: text/plain", "", "<p>Hello</p>"]],
    ["has no type", ["Subject: Hello", "", "<p>Hello</p>"]],
    ["has two types", ["Content-Type: text/html", "Content-Type: text/plain", "", "<p>Hello</p>"]],
    ["lacks the close delimiter", multipart("multipart/mixed; boundary=b", "--b")],
    ["lacks the boundary", multipart("multipart/mixed", "--b--")],
    ["has another boundary", multipart("multipart/mixed; boundary=c", "--b--")],
    [
      "has an encoded multipart",
      ["Content-Transfer-Encoding: base64", ...multipart("multipart/mixed; boundary=b", "--b--")]
    ],
    ["has an unknown encoding", ["Content-Type: text/html", "Content-Transfer-Encoding: x-uue", "", "<p>Hello</p>"]],
    [
      "has two encodings",
      [
        "Content-Transfer-Encoding: 7bit",
        "Content-Transfer-Encoding: 8bit",
        "Content-Type: text/html",
        "",
        "<p>Hello</p>"
      ]
    ],
    [
      "has text after base64",
      ["Content-Type: text/html", "Content-Transfer-Encoding: base64", "", base64, "-- ", "List"]
    ],
    ["has incomplete base64", ["Content-Type: text/html", "Content-Transfer-Encoding: base64", "", base64.slice(1)]],
    ["has octets that are not in its charset", ["Content-Type: text/html; charset=utf-8", "", "<p>Gr\xfc\xdfe</p>"]],
    ["is UTF-7", ["Content-Type: text/html; charset=utf-7", "", "<p>Gr+APw-</p>"]],
    ["has no body", ["Content-Type: text/html", ""]],
    [
      "has a field over 128 KiB",
      ["Content-Type: text/html", `X: ${"a".repeat(131_072)}`, "Y: </p>", "", "<p>Hello</p>"]
    ],
    ["has a large HTML part", ["Content-Type: text/html", "", `<p>Hello</p>${"a\r\n".repeat(700_000)}`]]
  ]
  for (const [condition, lines] of rows) {
    it(`if it ${condition}`, () => {
      const mail = mailOf(...lines)
      assert.isTrue(rewritten(mail) === mail.toString("latin1"))
    })
  }

  it("if its multiparts are nested deeper than 32 levels", () => {
    const levels = (count: number) => {
      const names = Array.from({ length: count }, (_, level) => `l${level}-`)
      return [
        ...names.flatMap((name) => [`Content-Type: multipart/mixed; boundary=${name}`, "", `--${name}`]),
        "Content-Type: text/html",
        "",
        "<p>Hello</p>",
        ...names.reverse().map((name) => `--${name}--`)
      ]
    }
    assert.include(rewritten(mailOf(...levels(31))), "<p>Hello<img></p>")
    assert.notInclude(rewritten(mailOf(...levels(32))), "<img>")
  })

  it("if a line of its encoded HTML would begin with the boundary", () => {
    const mail = (boundary: string) =>
      mailOf(
        `Content-Type: multipart/mixed; boundary=${boundary}`,
        "",
        `--${boundary}`,
        "Content-Type: text/html",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        `<p>${"a".repeat(63)}=`,
        "</p>--bc",
        `--${boundary}--`
      )
    assert.strictEqual(rewritten(mail("b")), mail("b").toString("latin1"))
    assert.include(rewritten(mail("c")), "\r\n--bc\r\n")
  })

  it("if the HTML does not change, also in an encoding of its own", () => {
    const mail = htmlMail("", "quoted-printable", "<b>H=65llo</b>")
    assert.strictEqual(rewritten(mail), mail.toString("latin1"))
  })
})
