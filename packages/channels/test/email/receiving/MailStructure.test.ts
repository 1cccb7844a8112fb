import { assert, describe, it } from "@effect/vitest"
import { readRawMail } from "@switchboard/channels/email/receiving/reading/MimeWorker"
import { bytes, lines } from "./Corpus.js"

const read = (mail: string) => readRawMail(new Uint8Array(bytes(mail)).buffer)

/** A mail of lines, and its expected text and attachments: name and octets. */
type Row = readonly [
  title: string,
  mail: ReadonlyArray<string>,
  text: string,
  files?: ReadonlyArray<readonly [name: string | null, octets: string]>
]

const check = (rows: ReadonlyArray<Row>) => {
  for (const [title, mail, text, files = []] of rows) {
    it(title, async () => {
      const { parts, text: shown } = await read(lines("From: ada@example.com", ...mail))
      assert.deepStrictEqual(
        {
          text: shown.trim(),
          files: parts.map(({ content, filename }) => [filename, Buffer.from(content).toString("latin1")])
        },
        { text, files: files.map(([name, octets]) => [name, octets]) }
      )
    })
  }
}

const alternative = 'Content-Type: multipart/alternative; boundary="one"'
const mixed = "Content-Type: multipart/mixed; boundary=m"
const file = (name: string) => `Content-Disposition: attachment; filename=${name}`

describe("A damaged MIME structure", () => {
  check([
    [
      "shows a body whose boundary is never used",
      [alternative, "", "I have a question.", "Regards"],
      "I have a question.\nRegards"
    ],
    [
      "shows the text of HTML whose boundary is never used",
      [alternative, "", "<html><p>Hello <b>there</b></p>"],
      "Hello there"
    ],
    [
      "uses the delimiter before a header instead of a mistyped boundary",
      [alternative, "", "--0ne", "Content-Type: text/plain", "", "Text", "--0ne", "Content-Type: text/html", "", "<b>"],
      "Text"
    ],
    [
      "uses the delimiter with a close delimiter if there is no boundary",
      ["Content-Type: multipart/mixed", "", "--x1", "", "Text", "--x1", file("a.bin"), "", "abc", "--x1--"],
      "Text",
      [["a.bin", "abc"]]
    ],
    [
      "takes lines of dashes in a text for text",
      [alternative, "", "--------", "--", "-- ", "Ada", "--- a/file", "--------"],
      "--------\n--\n-- \nAda\n--- a/file\n--------"
    ],
    [
      "reads the parts after a nested multipart without a boundary",
      [mixed, "", "--m", "Content-Type: multipart/related", "", "Inside", "--m", file("a.bin"), "", "abc", "--m--"],
      "Inside",
      [["a.bin", "abc"]]
    ],
    [
      "joins a parameter to its field if the line lost its white space",
      [
        mixed,
        "",
        "--m",
        "Content-Type: multipart/alternative;",
        "charset=utf-8;",
        'boundary="i:n"',
        "",
        "--i:n",
        "",
        "Text",
        "--i:n--",
        "--m--"
      ],
      "Text"
    ],
    [
      "prefers the Content-Type of a multipart that is used",
      ["Content-Type: text/plain", mixed, "", "--m", "", "Text", "--m", file("a.bin"), "", "abc", "--m--"],
      "Text",
      [["a.bin", "abc"]]
    ],
    [
      "shows the preamble of a mail without any other text",
      [mixed, "", "Hello", "", "--m", file("a.bin"), "", "abc", "--m--"],
      "Hello",
      [["a.bin", "abc"]]
    ],
    [
      "shows the text after the parts of a mail without any other text",
      [mixed, "", "--m", file("a.bin"), "", "abc", "--m--", "", "Hello"],
      "Hello",
      [["a.bin", "abc"]]
    ],
    [
      "ends a header without an empty line at a delimiter",
      [mixed, "--m", "Content-Type: text/plain", "", "Text", "--m--"],
      "Text"
    ],
    [
      "reads a part before the first delimiter",
      [
        mixed,
        "",
        "Content-Type: text/plain",
        "Content-Transfer-Encoding: base64",
        "",
        "SGVsbG8=",
        "--m",
        file("a.bin"),
        "",
        "abc",
        "--m--"
      ],
      "Hello",
      [["a.bin", "abc"]]
    ],
    ["shows no preamble beside a text", [mixed, "", "Hello", "--m", "", "Text", "--m--"], "Text"],
    [
      "shows no preamble that is a notice about MIME",
      [mixed, "", "This is a multi-part message in MIME format.", "--m", file("a.bin"), "", "abc", "--m--"],
      "",
      [["a.bin", "abc"]]
    ],
    [
      "shows a part without a header and an empty line",
      [mixed, "", "--m", "Good morning", "all", "--m--"],
      "Good morning\nall"
    ],
    [
      "shows a line that follows a header without an empty line",
      ["Subject: x", "Good morning", "", "all"],
      "Good morning\n\nall"
    ],
    ["shows a text after a header without an empty line", ["Subject: x", "Good morning", "all"], "Good morning\nall"],
    [
      "reads the part after a nested multipart with the same boundary",
      [mixed, "", "--m", mixed, "", "--m", "", "Text", "--m--", "--m", file("a.bin"), "", "abc", "--m--"],
      "Text",
      [["a.bin", "abc"]]
    ],
    [
      "reads no part of a second mail after the end of the first",
      [mixed, "", "--m", "", "Text", "--m--", "From: bo@example.com", mixed, "", "--m", "", "Other", "--m--"],
      "Text"
    ],
    [
      "reads a multipart that is encoded as a whole",
      [
        mixed,
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from(lines("--m", "", "Text", "--m--")).toString("base64")
      ],
      "Text"
    ],
    [
      "shows the text of an unknown multipart type",
      ["Content-Type: multipart/x-new; boundary=m", "", "--m", "", "Text", "--m--"],
      "Text"
    ],
    [
      "reads a Content-Type without semicolons",
      ["Content-Type: multipart/mixed boundary=m", "", "--m", "", "Text", "--m--"],
      "Text"
    ]
  ])
})

/** A mail with one attachment of these lines. */
const attached = (encoding: string, ...content: ReadonlyArray<string>) => [
  mixed,
  "",
  "--m",
  file("a.bin"),
  `Content-Transfer-Encoding: ${encoding}`,
  "",
  ...content,
  "--m--"
]

const allOctets = String.fromCharCode(...Array.from({ length: 256 }, (_, octet) => octet))

describe("The octets of an attachment", () => {
  check([
    [
      "keep the line ends of 7bit, without that of the delimiter",
      attached("7bit", "a,b", "1,2"),
      "",
      [["a.bin", "a,b\r\n1,2"]]
    ],
    ["keep an empty last line of 7bit", attached("7bit", "a", "", ""), "", [["a.bin", "a\r\n\r\n"]]],
    ["keep white space at line ends of 7bit", attached("7bit", "a \t", " b"), "", [["a.bin", "a \t\r\n b"]]],
    ["keep line feeds without carriage returns", attached("8bit", "a\nb"), "", [["a.bin", "a\nb"]]],
    ["keep octets of 8bit", attached("8bit", "\xe9\xff", "\x80"), "", [["a.bin", "\xe9\xff\r\n\x80"]]],
    ["keep all octets of binary", attached("BINARY", allOctets), "", [["a.bin", allOctets]]],
    ["keep octets of an unknown encoding", attached("x-other", "a=3D"), "", [["a.bin", "a=3D"]]],
    [
      "keep the line ends of quoted-printable",
      attached("quoted-printable", "a=0D", "b=0Ac=", "d"),
      "",
      [["a.bin", "a\r\r\nb\ncd"]]
    ],
    [
      "are those of base64",
      attached("base64", Buffer.from(allOctets, "latin1").toString("base64")),
      "",
      [["a.bin", allOctets]]
    ],
    [
      "are empty for an empty part",
      [mixed, "", "--m", file("a.bin"), "", "--m", file("b.bin"), "", "", "--m--"],
      "",
      [
        ["a.bin", ""],
        ["b.bin", ""]
      ]
    ],
    [
      "are complete in a calendar",
      [mixed, "", "--m", "Content-Type: text/calendar; charset=iso-8859-1", "", "A:\xe9", "", "--m--"],
      "",
      [[null, "A:\xe9\r\n"]]
    ],
    ["are complete without a close delimiter", [mixed, "", "--m", file("a.bin"), "", "abc"], "", [["a.bin", "abc\r\n"]]]
  ])
})

const encoded = (encoding: string, ...content: ReadonlyArray<string>) => [
  `Content-Transfer-Encoding: ${encoding}`,
  "",
  ...content
]
const printable = (...content: ReadonlyArray<string>) => encoded("Quoted-Printable", ...content)
const base64 = (...content: ReadonlyArray<string>) => encoded("base64", ...content)

describe("A faulty transfer encoding", () => {
  check([
    ["drops white space at the end of a quoted-printable line", printable("a  ", "b\t", "c"), "a\nb\nc"],
    ["drops white space after a soft line break", printable("a= \t", "b=  ", " c"), "ab c"],
    ["keeps encoded white space at the end of a line", printable("a=20 ", "b"), "a \nb"],
    ["reads hexadecimal digits in lower case", printable("=e2=82=aC"), "€"],
    ["keeps an equal sign without two digits", printable("1=2 =G1 =4", "="), "1=2 =G1 =4"],
    ["reads base64 without padding", base64("SGVsbG8"), "Hello"],
    ["reads base64 with padding in the middle", base64("SGVsbG8=", "IHdvcmxk"), "Hello world"],
    ["reads base64 pieces on one line", base64("SGk=IHlvdQ==IQ=="), "Hi you!"],
    ["skips foreign characters in base64", base64("SG Vs", "-bG8_g*d29ybGQ="), "Hello world"],
    [
      "drops a list footer after padded base64",
      base64("SGVsbG8=", "", "The list", "https://example.com/list"),
      "Hello"
    ],
    ["drops a list footer after base64 without padding", base64("SGVsbG8h", "_______________", "The list"), "Hello!"],
    ["drops sentences after base64", base64("SGVsbG8h", "Sent from my phone today"), "Hello!"],
    ["keeps a text that is not base64", base64("this is not encoded at all"), "this is not encoded at all"],
    ["reads an encoding with a comment and a semicolon", encoded("base64 (really); x", "SGVsbG8="), "Hello"]
  ])
})

/** 50 octets in uuencode. */
const uuencoded = [
  "begin 644 notes.bin",
  'M  $" P0%!@<("0H+# T.#Q 1$A,4%187&!D:&QP=\'A\\@(2(C)"4F)R@I*BLL',
  "%+2XO,#$ ",
  "`",
  "end"
]
const fifty = allOctets.slice(0, 50)

describe("uuencode", () => {
  check([
    ...["x-uuencode", "uuencode", "X-UUE"].map(
      (name): Row => [`is decoded as ${name}`, attached(name, ...uuencoded), "", [["a.bin", fifty]]]
    ),
    [
      "is taken out of a text",
      ["", "Look:", "", ...uuencoded, "", "Regards"],
      "Look:\n\n\nRegards",
      [["notes.bin", fifty]]
    ],
    [
      "is decoded if spaces at line ends are missing",
      ["", "begin 600 a b.txt", "#0V%T", '"0P', "", "end"],
      "",
      [["a b.txt", "CatC\0"]]
    ],
    ["is decoded with checksums", ["", "begin 0644 a", "#0V%TX", " ", "end"], "", [["a", "Cat"]]],
    [
      "is decoded twice in one text",
      ["", ...uuencoded, "and", "begin 644 b", "#0V%T", "`", "end"],
      "and",
      [
        ["notes.bin", fifty],
        ["b", "Cat"]
      ]
    ],
    ["stays in the text without its end", ["", "begin 644 a", "#0V%T", "`"], "begin 644 a\n#0V%T\n`"],
    [
      "stays in the text with an invalid line",
      ["", "begin 644 a", "#0V%T-too-long", "`", "end"],
      "begin 644 a\n#0V%T-too-long\n`\nend"
    ],
    ["stays in the text without a mode", ["", "begin the day", "end"], "begin the day\nend"]
  ])
})
