import { assert, describe, it } from "@effect/vitest"
import { readRawMail } from "@switchboard/channels/email/receiving/reading/MimeWorker"
import { bytes } from "./Corpus.js"

/** Octets as Latin-1 characters. */
const read = (...mail: ReadonlyArray<string>) => readRawMail(new Uint8Array(bytes(mail.join("\r\n"))).buffer)

const jis = "\x1b$B$*@$OC\x1b(B"
const utf8 = "Dzie\xc5\x84 \xe2\x80\xa2"
const longUtf8 = "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xb8\x96\xe7\x95\x8c"

describe("The charset of a text", () => {
  const rows: ReadonlyArray<readonly [title: string, contentType: string, octets: string, expected: string]> = [
    ["is ISO-2022-JP by its escape sequences, without a label", "text/plain", jis, "お世話"],
    ["is ISO-2022-JP by its escape sequences, in spite of the label", "text/plain; charset=us-ascii", jis, "お世話"],
    ["is ISO-2022-JP with half-width letters", "text/plain; charset=iso-2022-jp", "\x1b(IC=D\x1b(B!", "ﾃｽﾄ!"],
    ["is ISO-2022-JP with JIS X 0212", "text/plain; charset=iso-2022-jp-1", "\x1b$(D0!\x1b(B", "丂"],
    ["is ISO-2022-JP with the letters of NEC", "text/plain; charset=cp50220", "\x1b$B-!|b", "①髙"],
    ["is ISO-2022-KR by its escape sequence", "text/plain", "\x1b$)C\x0e>H3g\x0f ok", "안녕 ok"],
    ["is HZ", "text/plain; charset=HZ-GB-2312", "a~{Dc:C~}~~", "a你好~"],
    ["is UTF-8 by its byte order mark", "text/plain; charset=iso-8859-1", "\xef\xbb\xbfa\xff", "a\ufffd"],
    ["is UTF-16 by its byte order mark", "text/plain; charset=utf-8", "\xff\xfeH\0\xe9\0", "Hé"],
    ["is big-endian UTF-16 by its byte order mark", "text/plain", "\xfe\xff\0H\0\xe9", "Hé"],
    ["is UTF-8 without a label", "text/plain", utf8, "Dzień •"],
    ...["us-ascii", "ISO-8859-1", "windows-1252", "windows-1251", "iso-8859-2", "x-unknown", "8bit", "utf-7"].map(
      (label) => [`is UTF-8 in spite of the label ${label}`, `text/plain; charset=${label}`, utf8, "Dzień •"] as const
    ),
    ["is UTF-8 in spite of a Chinese label", "text/plain; charset=gb2312", longUtf8, "你好世界"],
    ["is the label for a text that could be UTF-8 by chance", "text/plain; charset=gb2312", "\xc4\xa3", "模"],
    ["is Windows-1252 without a label", "text/plain", "5 \x80 \x93x\x94 \xe9", "5 € “x” é"],
    ["is ASCII in spite of the label UTF-16", "text/plain; charset=utf-16", "Hello", "Hello"],
    ["is IBM850", "text/plain; charset=IBM850", "Gr\x81\xe1e", "Grüße"],
    ["is CP437", "text/plain; charset=cp437", "Gr\x81\xe1e", "Grüße"],
    ["is IBM852", "text/plain; charset=ibm-852", "\xace\xe7tina", "Čeština"],
    ["is CP858", "text/plain; charset=IBM00858", "5 \xd5", "5 €"],
    ["is Big5-HKSCS", "text/plain; charset=Big5-HKSCS", "\x9d\xf8\x9d\xcf", "啲嘢"],
    ["is Big5-HKSCS for the label Big5", "text/plain; charset=x-x-big5", "\x9d\xf8", "啲"],
    ...["ks_c_5601-1987", "UHC", "cp949", "euc-kr", "x-windows-949"].map(
      (label) => [`is CP949 for the label ${label}`, `text/plain; charset=${label}`, "\x8cc\xb9\xe6", "똠방"] as const
    ),
    ["is GBK for the label GB2312", "text/plain; charset=gb2312", "\xe6g", "鎔"],
    ["is Windows-31J for the label Shift_JIS", "text/plain; charset=Shift_JIS", "\x87@\xee\xe0", "①髙"],
    ["is EUC-JP", "text/plain; charset=x-euc-jp", "\xc6\xfc\xcb\xdc", "日本"],
    ["is KOI8-R", "text/plain; charset=koi8-r", "\xf0\xd2\xc9", "При"],
    ["is Mac Roman", "text/plain; charset=x-mac-roman", "Gr\x9f\xa7e", "Grüße"],
    ["is UTF-7", "text/plain; charset=utf-7", "Dzie+AUQ +ICI", "Dzień •"],
    ["is that of a meta element", "text/html", "<meta charset='koi8-r'><p>\xf0\xd2\xc9", "При"],
    [
      "is that of a meta element of HTML 4",
      "text/html",
      '<META http-equiv="Content-Type" content="text/html; charset=windows-1251">\xcf\xf0\xe8',
      "При"
    ],
    [
      "is the label, not the meta element",
      "text/html; charset=koi8-r",
      "<meta charset=windows-1251>\xf0\xd2\xc9",
      "При"
    ],
    ["is UTF-8 in spite of the meta element", "text/html", `<meta charset=iso-8859-1>${utf8}`, "Dzień •"],
    ["is no encoding of Node.js", "text/plain; charset=base64", "SGVsbG8=", "SGVsbG8="]
  ]
  for (const [title, contentType, octets, expected] of rows) {
    it(title, async () => {
      const { text } = await read(`Content-Type: ${contentType}`, "", octets)
      assert.strictEqual(text.trim(), expected)
    })
  }

  it("stays UTF-8 in a text that is truncated", async () => {
    const { text } = await read("", "a", "\xe2\x82\xac".repeat(4_000_000))
    assert.strictEqual(text.slice(0, 4), "a\n€€")
    assert.strictEqual(text.at(-1), "€")
  })
})

const b = (octets: string, charset = "utf-8") => `=?${charset}?B?${bytes(octets).toString("base64")}?=`

describe("A subject", () => {
  const rows: ReadonlyArray<readonly [title: string, octets: string, expected: string, contentType?: string]> = [
    ["joins a letter that two base64 words split", `${b("\xe2\x82")} ${b("\xac 5")}`, "€ 5"],
    ["joins a letter that a base64 and a Q word split", `${b("\xe2")}\r\n =?UTF-8?q?=82=AC?=`, "€"],
    ["joins a letter of Shift_JIS", `${b("\x93", "shift_jis")} ${b("\xfa", "Shift-JIS")}`, "日"],
    ["joins words without padding", "=?utf-8?b?4oI?= =?utf-8?b?rDU?=", "€5"],
    ["joins words that split a group of base64 digits", "=?utf-8?b?4oKs4o?= =?utf-8?b?KsNQ?=", "€€5"],
    ["keeps words of two charsets apart", `${b("\xe2\x82\xac")} ${b("\xfc", "iso-8859-1")}`, "€ü"],
    ["keeps white space between a word and text", `${b("a")} b  ${b("c")}`, "a b  c"],
    ["reads octets and spaces in a Q word", "=?iso-8859-2?Q?Dzie\xf1 =E9_x?= y", "Dzień é x y"],
    ["reads UTF-8 in a Q word of another charset", "=?iso-8859-1?Q?Dzie\xc5\x84?=", "Dzień"],
    ["reads a question mark and equal signs in a Q word", "=?utf-8?Q?Why? a=b =?=", "Why? a=b ="],
    ["reads words without space between them", `x${b("a")}${b("b")}y`, "xaby"],
    ["reads a word after an unterminated one", `=?utf-8?q?a ${b("b")}`, "=?utf-8?q?a b"],
    ["reads a word of ISO-2022-JP", b(jis, "ISO-2022-JP"), "お世話"],
    ["reads a word of CP850", "=?ibm850?q?Gr=81=E1e?=", "Grüße"],
    ["reads a word with a language", "=?utf-8*de?q?Gr=C3=BC?=", "Grü"],
    ["reads undeclared UTF-8", `Re: ${utf8}`, "Re: Dzień •"],
    ["reads undeclared ISO-2022-JP", `Re: ${jis}`, "Re: お世話"],
    ["reads undeclared octets as Windows-1252", "5 \x80", "5 €"],
    ["reads undeclared octets in the charset of the text", "\xf0\xd2\xc9", "При", "text/plain; charset=koi8-r"],
    [
      "reads undeclared octets of a mail in UTF-16 as Windows-1252",
      "Gr\xfc\xdfe",
      "Grüße",
      "text/plain; charset=utf-16"
    ],
    ["keeps an octet A0 at the end of a line", "\xc3\xa0", "à"]
  ]
  for (const [title, octets, expected, contentType = "text/plain"] of rows) {
    it(title, async () => {
      const { subject } = await read(`Subject: ${octets}`, `Content-Type: ${contentType}`, "", "x")
      assert.strictEqual(subject, expected)
    })
  }
})

describe("A file name", () => {
  const rows: ReadonlyArray<readonly [title: string, parameters: string, expected: string | null]> = [
    ["is read of a Q word in quotes", 'filename="=?utf-8?Q?=E2=82=AC_5.pdf?="', "€ 5.pdf"],
    ["is read of split words in quotes", `filename="${b("\xe2\x82")} ${b("\xac.pdf")}"`, "€.pdf"],
    ["is read of a word without quotes", `filename=${b("\xe2\x82\xac.pdf")}`, "€.pdf"],
    ["is read of undeclared UTF-8", 'filename="\xe2\x82\xac.pdf"', "€.pdf"],
    ["is read of undeclared octets", 'filename="M\xe4rz.pdf"', "März.pdf"],
    ["is read of an encoded parameter", "filename*=UTF-8'de'%E2%82%ac%205.pdf", "€ 5.pdf"],
    ["is read of an encoded parameter in quotes", "filename*=\"utf-8''%E2%82%AC.pdf\"", "€.pdf"],
    ["is read of an encoded parameter without a charset", "filename*=''%E2%82%AC.pdf", "€.pdf"],
    [
      "is read of continuations of which one is encoded",
      "filename*0*=utf-8''%E2%82; filename*1*=%AC; filename*2=\".%5d\"",
      "€.%5d"
    ],
    ["is read of an encoded word in continuations", 'filename*0="=?utf-8?Q?=E2="; filename*1="82=AC.pdf?="', "€.pdf"],
    ["is read of an encoded parameter with quotes inside", "filename*=utf-8''\"%E2%82%AC.pdf\"", "€.pdf"],
    ["prefers the encoded parameter", "filename=x.pdf; filename*=utf-8''%E2%82%AC.pdf", "€.pdf"],
    ["has spaces without quotes", "filename=my file (1).pdf", "my file (1).pdf"],
    ["has a semicolon in quotes", 'filename="a;b.pdf"; size=1', "a;b.pdf"],
    ["has an escaped quote", 'filename="a\\"b.pdf"', 'a"b.pdf'],
    ["is read without its closing quote", 'filename="a b.pdf', "a b.pdf"],
    ["is read without a semicolon between parameters", 'x="1" filename="a.pdf"', "a.pdf"],
    ["is read in upper case", "FILENAME = a.pdf", "a.pdf"]
  ]
  for (const [title, parameters, expected] of rows) {
    it(title, async () => {
      const { parts } = await read(`Content-Disposition: attachment; ${parameters}`, "", "x")
      assert.deepStrictEqual(
        parts.map(({ filename }) => filename),
        [expected]
      )
    })
  }
})

describe("An address list", () => {
  const rows: ReadonlyArray<readonly [title: string, octets: string, expected: ReadonlyArray<string>]> = [
    ["has a name with a comma", "Lovelace, Ada <ada@example.com>", ["Lovelace, Ada <ada@example.com>"]],
    [
      "has several names with a comma",
      "Lovelace, Ada <ada@example.com>, Hopper, Grace, Dr <g@example.com>,x@example.com",
      ["Lovelace, Ada <ada@example.com>", "Hopper, Grace, Dr <g@example.com>", " <x@example.com>"]
    ],
    ["has a comma in quotes", '"Lovelace, Ada" <ada@example.com>', ["Lovelace, Ada <ada@example.com>"]],
    [
      "has a comma in an encoded word",
      "=?utf-8?Q?Lovelace,_Ad=C3=A9?= <ada@example.com>",
      ["Lovelace, Adé <ada@example.com>"]
    ],
    ["has an encoded word in quotes", '"=?utf-8?Q?Ad=C3=A9?=" <ada@example.com>', ["Adé <ada@example.com>"]],
    ["has a name in undeclared octets", "Ad\xe9 <ada@example.com>", ["Adé <ada@example.com>"]],
    ["has an encoded name in a comment", "ada@example.com (=?utf-8?Q?Ad=C3=A9?=)", ["Adé <ada@example.com>"]],
    ["has nested comments", "ada@example.com (Ada (Lovelace))", ["Ada (Lovelace) <ada@example.com>"]],
    ["has a comment between name and address", "Ada (sales, north) <ada@example.com>", ["Ada <ada@example.com>"]],
    ["has doubled brackets", "Ada <<ada@example.com>>", ["Ada <ada@example.com>"]],
    ["has an address in the name", "ada@example.com <ada@example.com>", ["ada@example.com <ada@example.com>"]],
    ["has no closing bracket", "Ada <ada@example.com", ["Ada <ada@example.com>"]],
    [
      "has no closing bracket before a comma",
      "Ada <ada@example.com, Bo <bo@example.com>",
      ["Ada <ada@example.com>", "Bo <bo@example.com>"]
    ],
    ["has no closing quote", '"Ada <ada@example.com>', ["Ada <ada@example.com>"]],
    ["has no closing parenthesis", "Ada (sales <ada@example.com>", ["Ada sales <ada@example.com>"]],
    [
      "has a group",
      "Team: Ada <ada@example.com>, bo@example.com;, cy@example.com",
      ["Ada <ada@example.com>", " <bo@example.com>", " <cy@example.com>"]
    ],
    ["has an empty group", "undisclosed-recipients:;", []],
    ["has semicolons", "ada@example.com; Bo <bo@example.com>", [" <ada@example.com>", "Bo <bo@example.com>"]],
    ["has a name without brackets", "Ada Lovelace ada@example.com", ["Ada Lovelace <ada@example.com>"]],
    ["has an address in single quotes", "'ada@example.com'", [" <ada@example.com>"]],
    [
      "has an apostrophe",
      "Pat O'Brien <pat.o'brien@example.com>, o'neill@example.com",
      ["Pat O'Brien <pat.o'brien@example.com>", " <o'neill@example.com>"]
    ],
    ["has spaces in the brackets", "Ada < ada@example.com >", ["Ada <ada@example.com>"]],
    ["has a quoted local part", '"ada l"@example.com', [' <"ada l"@example.com>']],
    ["has a mailto link", "Ada <mailto:ada@example.com>", ["Ada <ada@example.com>"]],
    ["has a source route", "<@one.example,@two.example:ada@example.com>", [" <ada@example.com>"]],
    ["is encoded as a whole", "=?utf-8?Q?Ad=C3=A9_<ada=40example.com>?=", ["Adé <ada@example.com>"]],
    ["has name and address exchanged", "<Ada Lovelace> ada@example.com", ["Ada Lovelace <ada@example.com>"]],
    [
      "has name and address exchanged before brackets",
      "ada@example.com <Ada Lovelace>",
      ["Ada Lovelace <ada@example.com>"]
    ],
    ["has the address in a comment", "Ada (ada@example.com)", ["Ada <ada@example.com>"]],
    ["has the address in square brackets", "Ada [ada@example.com]", ["Ada <ada@example.com>"]],
    ["has only an address in quotes", '"ada@example.com"', [" <ada@example.com>"]],
    ["is quoted as a whole", '"Ada <ada@example.com>"', ["Ada <ada@example.com>"]],
    ["has a comma before the brackets", "Sales, North, <ada@example.com>", ["Sales, North <ada@example.com>"]],
    ["has escaped quotes in the name", '"Ada \\"A\\" L" <ada@example.com>', ['Ada "A" L <ada@example.com>']],
    ["has a folded address", "Ada <ada@exam\r\n ple.com>", ["Ada <ada@example.com>"]],
    ["has a space in the local part, which stays", "<ada l@example.com>", [" <ada l@example.com>"]],
    ["has a dot at the end of the domain", "ada@example.com.", [" <ada@example.com>"]],
    ["has two mailboxes without a comma", "Ada <ada@example.com> Bo <bo@example.com>", ["Ada  Bo <ada@example.com>"]],
    ["has a name without an address", "Bo, ada@example.com", [" <ada@example.com>"]]
  ]
  for (const [title, octets, expected] of rows) {
    it(title, async () => {
      const { cc, from, to } = await read(`To: ${octets}`, `Cc: ${octets}`, `From: ${octets}`, "", "x")
      const shown = to.map(({ address, name }) => `${name} <${address}>`)
      assert.deepStrictEqual(shown, expected)
      assert.deepStrictEqual([cc, from], [to, to[0] ?? { name: "", address: "" }])
    })
  }

  it("has the first mailbox with an address as sender", async () => {
    const { from } = await read("From: root <root>, Ada <ada@example.com>", "", "x")
    assert.deepStrictEqual(from, { name: "Ada", address: "ada@example.com" })
  })
})
