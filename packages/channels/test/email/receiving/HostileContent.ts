import { bytes, type HostileMail, lines, mailOf, type Summary, seededRandom } from "./Corpus.js"

const replacement = "\uFFFD"

const body = (
  name: string,
  headers: ReadonlyArray<string>,
  content: string,
  outcome: Summary | RegExp
): HostileMail => ({
  name,
  raw: () => mailOf(headers, content),
  outcome
})

const inCharset = (charset: string, content: string, expected: string): HostileMail =>
  body(
    `text in ${charset || "an empty charset"}: ${JSON.stringify(content.slice(0, 20))}`,
    [`Content-Type: text/plain; charset="${charset}"`],
    content,
    {
      text: expected
    }
  )

const charsets: ReadonlyArray<HostileMail> = [
  inCharset("utf-8", "H\xc3\xa9", "Hé"),
  inCharset("utf-8", "H\xe9\xff\xfe", `H${replacement.repeat(3)}`),
  inCharset("utf-8", "\xed\xa0\x80", replacement.repeat(3)),
  inCharset("utf-8", "\xf4\x90\x80\x80", replacement.repeat(4)),
  inCharset("utf-8", "a\0b\x01c", "abc"),
  inCharset("utf-8", "\xef\xbb\xbfa", "a"),
  inCharset("iso-8859-1", "H\xe9", "Hé"),
  inCharset("us-ascii", "H\xe9", "Hé"),
  inCharset("windows-1252", "\x80", "€"),
  inCharset("utf-7", "+ADw-script+AD4-", "<script>"),
  inCharset("UTF-7", "+ADw-b", "<b"),
  inCharset("unicode-1-1-utf-7", "+ADw-b", "<b"),
  inCharset("x-no-such", "H\xe9", "Hé"),
  inCharset("", "H\xc3\xa9", "Hé"),
  inCharset("", "H\xe9 \x80", "Hé €"),
  body("text without a charset, in UTF-8", [], "H\xc3\xa9", { text: "Hé" }),
  body("text without a charset, not in UTF-8", [], "Gr\xfc\xdfe", { text: "Grüße" }),
  inCharset("a".repeat(10_000), "H\xe9", "Hé"),
  inCharset("constructor", "H\xe9", "Hé"),
  inCharset("__proto__", "H\xe9", "Hé"),
  inCharset("gb18030", "\xc4\xe3\xba\xc3", "你好"),
  inCharset("gb18030", "\x84\x31\xa4\x37", replacement),
  inCharset("gb2312", "\xc4\xe3", "你"),
  inCharset("big5", "\xa7\x41", "你"),
  inCharset("euc-kr", "\xb0\xa1", "가"),
  inCharset("cp949", "\xb0\xa1", "가"),
  inCharset("shift_jis", "\x83\x65", "テ"),
  inCharset("iso-2022-jp", "\x1b$B%F\x1b(B", "テ"),
  inCharset("iso-2022-jp", "\x1b$B%", replacement),
  inCharset("iso-2022-kr", "a", "a"),
  inCharset("hz-gb-2312", "~{Dc:C~}~~a", "你好~a"),
  inCharset("koi8-r", "\xf0", "П"),
  inCharset("ibm866", "\x8f", "П"),
  inCharset("utf-8\0", "H\xc3\xa9", "Hé"),
  inCharset("windows-1252", "\x93a\x94 \x85\x81", "“a” …"),
  inCharset("utf-8", "a\xc2\x9bb", "a›b")
]

const plain = (encoding: string) => [
  "Content-Type: text/plain; charset=utf-8",
  `Content-Transfer-Encoding: ${encoding}`
]
const file = (encoding: string) => ["Content-Type: application/octet-stream", `Content-Transfer-Encoding: ${encoding}`]

const encodings: ReadonlyArray<HostileMail> = [
  body("base64", plain("base64"), "SGVsbG8=", { text: "Hello" }),
  body("base64 without padding", plain("base64"), "SGVsbG8", { text: "Hello" }),
  body("base64 with too much padding", plain("base64"), "SGVsbG8=======", { text: "Hello" }),
  body("base64 with padding in the middle", plain("base64"), "SGVs=bG8=", { text: "Hello" }),
  body("base64 with garbage in it", plain("base64"), "S!G@V#s$b%G^8&=\0\xff", { text: "Hello" }),
  body("base64 of one character", plain("base64"), "S", { text: "" }),
  body("base64 of nothing", plain("base64"), "", { text: "" }),
  body("base64 of invalid characters", plain("base64"), "?????", { text: "" }),
  body("base64 of NULs", plain("base64"), Buffer.alloc(90).toString("base64"), { text: "" }),
  body("base64 on one line of 1 MB", plain("base64"), Buffer.alloc(750_000, "a").toString("base64"), {
    textSize: 750_000
  }),
  body("base64 on 100,000 lines", file("base64"), "QUJD\r\n".repeat(100_000), { sizes: [300_000] }),
  body("base64 of equal signs", file("base64"), "=".repeat(1_000_000), {
    parts: ["application/octet-stream null"],
    sizes: [0]
  }),
  body(
    "base64 of UTF-16 with a lone surrogate",
    ["Content-Type: text/plain; charset=utf-16le", "Content-Transfer-Encoding: base64"],
    Buffer.from("Hé\ud800!", "utf16le").toString("base64"),
    { text: `Hé${replacement}!` }
  ),
  body("base64 with a comment", plain("(really) base64"), "SGVsbG8=", { text: "Hello" }),
  body("BASE64 in upper case and quotes", plain('"BASE64"'), "SGVsbG8=", { text: "Hello" }),
  body("6 MB of base64 in one line", file("base64"), "A".repeat(6_000_000), { sizes: [4_500_000] }),
  body("quoted-printable", plain("quoted-printable"), "H=C3=A9 =\r\nthere", { text: "Hé there" }),
  body("quoted-printable garbage", plain("quoted-printable"), "=ZZ=4=\r\n===41", { text: "=ZZ=4==A" }),
  body("quoted-printable of equal signs", plain("quoted-printable"), "=".repeat(100_000), { textSize: 99_999 }),
  body("quoted-printable that ends with an equal sign", plain("quoted-printable"), "Hello=", { text: "Hello" }),
  body("quoted-printable of NULs", plain("quoted-printable"), "a=00=00b", { text: "ab" }),
  body("quoted-printable in lower case", plain("quoted-printable"), "H=c3=a9", { text: "Hé" }),
  body("quoted-printable of 300,000 soft line breaks", plain("quoted-printable"), "=\r\n".repeat(300_000), {
    text: ""
  }),
  body("5 MB of quoted-printable", plain("quoted-printable"), "=41".repeat(1_700_000), { textSize: 1_700_000 }),
  body("an unknown encoding", plain("x-no-such"), "SGVsbG8=", { text: "SGVsbG8=" }),
  body(
    "two encodings, of which the first is used",
    [...plain("7bit"), "Content-Transfer-Encoding: base64"],
    "SGVsbG8=",
    {
      text: "SGVsbG8="
    }
  ),
  body("7bit with 8-bit characters", plain("7bit"), "H\xc3\xa9", { text: "Hé" }),
  body("binary", plain("binary"), "a\0\xff\r\nb", { text: `a${replacement}\nb` }),
  body("uuencode", ["Content-Type: text/plain"], "begin 644 a.exe\r\n#0V%T\r\n`\r\nend\r\n", {
    text: "",
    parts: ["application/octet-stream a.exe"],
    contents: ["Cat"]
  }),
  body("x-uuencode", plain("x-uuencode"), "begin 644 a.exe\r\n#0V%T\r\n`\r\nend", {
    text: "Cat"
  }),
  body("2 million first lines of uuencode", [], "begin 644 a\n".repeat(2_000_000), { textSize: 2_000_000, parts: [] }),
  body("2 million files in uuencode", [], "begin 644 a\n`\nend\n".repeat(2_000_000), { textSize: 2_000_000 }),
  body("5 million lines of uuencode", [], `begin 644 a\n${"!00  \n".repeat(5_000_000)}\`\nend\n`, {
    text: "",
    sizes: [5_000_000]
  }),
  body("5 million padded pieces of base64", file("base64"), "QQ==\n".repeat(5_000_000), { sizes: [5_000_000] }),
  body("5 million lines of base64 with foreign characters", file("base64"), "SGVs!\n".repeat(5_000_000), {
    sizes: [15_000_000]
  }),
  body("30 MB of quoted-printable with white space", file("quoted-printable"), "= ".repeat(15_000_000), {
    sizes: [29_999_998]
  }),
  body("30 MB of shift sequences", ["Content-Type: text/plain"], "\x1b$B!!".repeat(6_000_000), { textSize: 2_000_000 }),
  body("30 MB of UTF-7", ["Content-Type: text/plain; charset=utf-7"], "+AGE-".repeat(6_000_000), { textSize: 200_000 }),
  body("yEnc", plain("8bit"), "=ybegin line=128 size=3 name=a\r\nabc\r\n=yend size=3", {
    text: "=ybegin line=128 size=3 name=a\nabc\n=yend size=3"
  }),
  body("winmail.dat", ["Content-Type: application/ms-tnef; name=winmail.dat"], "\x78\x9f\x3e\x22", {
    parts: ["application/ms-tnef winmail.dat"]
  }),
  body(
    "format=flowed of 200,000 soft line breaks",
    ["Content-Type: text/plain; format=flowed; delsp=yes"],
    "a \r\n".repeat(200_000),
    { textSize: 200_000 }
  ),
  body(
    "format=flowed of many quote depths",
    ["Content-Type: text/plain; format=flowed"],
    Array.from({ length: 1_000 }, (_, depth) => `${">".repeat(depth)} a `).join("\r\n"),
    { textSize: 1_000 + (999 * 1_000) / 2 + 1 + 999 * 3 }
  ),
  body("format=flowed of quotes", ["Content-Type: text/plain; format=flowed"], "> ".repeat(100_000), {
    textSize: 200_000
  })
]

const html = (name: string, content: string, outcome: Summary | RegExp): HostileMail =>
  body(name, ["Content-Type: text/html"], content, outcome)
const both = (name: string, content: string, outcome: Summary | RegExp): HostileMail =>
  body(
    name,
    ["Content-Type: multipart/mixed; boundary=b"],
    lines("--b", "", "plain", "--b", "Content-Type: text/html", "", content, "--b--"),
    outcome
  )

const bodies: ReadonlyArray<HostileMail> = [
  html("HTML with a script", "<script>alert(1)</script>", { html: "<script>alert(1)</script>", text: "" }),
  html("HTML of 300,000 open tags", "<b>".repeat(300_000), { text: "..." }),
  html("HTML of 400,000 unmatched closing tags", `a${"<x>".repeat(15_000)}${"</y>".repeat(400_000)}`, {
    text: "a..."
  }),
  both("HTML of 100,000 open tags beside text", "<a ".repeat(100_000), { inline: [] }),
  both("HTML of 100,000 open comments beside text", "<!--".repeat(100_000), { inline: [] }),
  both("HTML of 100,000 open styles beside text", "<style>".repeat(100_000), { inline: [] }),
  both("HTML of 100,000 entities beside text", "&#x1F600;".repeat(100_000), { inline: [] }),
  both("HTML of invalid entities", "&#xD800;&#99999999999;&#0;&nosuch;", {
    text: `plain\n\n${replacement.repeat(3)}&nosuch;`
  }),
  html("HTML with NULs", "<p>a\0b</p>", { html: "<p>ab</p>" }),
  body("3 MB of text, which is truncated", [], "a".repeat(3_000_000), { textSize: 2_000_000 }),
  html("3 MB of HTML, which is truncated", "a".repeat(3_000_000), { textSize: 1_000_000 }),
  body("5 MB of text in one line, which is truncated", [], "a".repeat(5_000_000), { textSize: 2_000_000 }),
  {
    name: "text that is truncated within a surrogate pair",
    raw: () =>
      Buffer.concat([bytes("Content-Type: text/plain; charset=utf-8\r\n\r\na"), Buffer.from("😀".repeat(1_100_000))]),
    outcome: { textSize: 1_999_999 }
  },
  body("5 MB of text in lines", [], `${"a".repeat(76)}\r\n`.repeat(65_000), { textSize: 1_974_359 }),
  body("a message/rfc822 of 5 MB", ["Content-Type: message/rfc822"], `${"a".repeat(76)}\r\n`.repeat(65_000), {
    sizes: [5_070_000]
  }),
  body("a calendar", ["Content-Type: text/calendar; method=request"], "BEGIN:VCALENDAR", {
    parts: ["text/calendar null"]
  }),
  body("an invalid Content-Type", ["Content-Type: a b/c;;;"], "Hello", { parts: ["application/octet-stream null"] }),
  body("an empty Content-Type", ["Content-Type:"], "Hello", { text: "Hello", parts: [] }),
  body("a Content-Type with a script tag", ["Content-Type: <script>/x"], "Hello", {
    parts: ["application/octet-stream null"]
  }),
  body("a Content-Type of 100 KB", [`Content-Type: text/${"x".repeat(100_000)}`], "Hello", {
    parts: ["application/octet-stream null"]
  }),
  body(
    "two Content-Types, of which the first is used",
    ["Content-Type: text/plain", "Content-Type: text/html"],
    "<b>",
    {
      text: "<b>",
      html: ""
    }
  )
]

const named = (name: string, parameter: string, expected: string | null): HostileMail => ({
  name: `a file name ${name}`,
  raw: () => mailOf([`Content-Disposition: attachment; ${parameter}`], "x"),
  outcome: { parts: [`text/plain ${expected}`] }
})

const names: ReadonlyArray<HostileMail> = [
  named("with a path", 'filename="../../etc/passwd"', "passwd"),
  named("with a Windows path", 'filename="C:\\\\Users\\\\ada\\\\a.txt"', "a.txt"),
  named("with an unquoted path", "filename=C:\\a\\b.txt", "b.txt"),
  named("of dots", 'filename=".."', null),
  named("with a leading dot", 'filename=".bashrc"', "bashrc"),
  named("that is empty", 'filename=""', null),
  named("of spaces", 'filename="   "', null),
  named("that is a folder", 'filename="folder/"', null),
  named("with a NUL", 'filename="a.txt\0.exe"', "a.txt.exe"),
  named("with CRLF", "filename*=utf-8''a%0D%0Ab.txt", "a b.txt"),
  named("with a right-to-left override", "filename*=utf-8''a%E2%80%AEfdp.exe", "afdp.exe"),
  named("as an encoded word", 'filename="=?utf-8?q?H=C3=A9.pdf?="', "Hé.pdf"),
  named("as an encoded word with a path", 'filename="=?utf-8?q?..=2Fa.pdf?="', "a.pdf"),
  named("in continuations", "filename*0=a; filename*1=b; filename*2=.txt", "ab.txt"),
  named("in continuations out of order", "filename*2=.txt; filename*0=a; filename*1=b", "ab.txt"),
  named("in continuations with a gap", "filename*0=a; filename*9=.txt", "a.txt"),
  named("in continuations without the first", "filename*1=b.txt", "b.txt"),
  named("in encoded continuations", "filename*0*=utf-8''%C3; filename*1*=%A9.txt", "é.txt"),
  named("in an unknown charset", "filename*=x-no-such''%E9.txt", "é.txt"),
  named("in UTF-7", "filename*=utf-7''+ADw-.txt", "<.txt"),
  named("with invalid percent encoding", "filename*=utf-8''%ZZ%4.txt", "%ZZ%4.txt"),
  named("with an encoded path in continuations", "filename*0*=utf-8''..%2F..%2F; filename*1=a.txt", "a.txt"),
  named("without a charset", "filename*=a.txt", "a.txt"),
  named("in two parameters", "filename=a.txt; filename=b.txt", "a.txt"),
  named("of 10,000 characters", `filename=${"a".repeat(10_000)}`, "a".repeat(200)),
  named(
    "in 1,000 continuations",
    Array.from({ length: 1_000 }, (_, at) => `filename*${at}=a`).join("; "),
    "a".repeat(200)
  ),
  named("in a continuation with a too large number", "filename*99999999999999999999=a.txt", "a.txt"),
  named("that is a Windows device", "filename=CON", "CON"),
  named("with a lone surrogate", "filename*=utf-16be''%D8%00", replacement)
]

const list = (name: string, line: string, outcome: Summary): HostileMail => ({
  name,
  raw: () => bytes(`${line}\r\n\r\nHello`),
  outcome
})

const addresses: ReadonlyArray<HostileMail> = [
  list("no From", "To: bo@example.com", { from: "", to: ["bo@example.com"] }),
  list("an empty From", "From:", { from: "" }),
  list("a From without an address", "From: Ada", { from: "" }),
  list("a From with an address as display name", 'From: "ada@example.com" <eve@example.net>', {
    from: "eve@example.net",
    fromName: "ada@example.com"
  }),
  list("a From with an encoded display name", "From: =?utf-8?q?Ad=C3=A9?= <ada@example.com>", {
    from: "ada@example.com",
    fromName: "Adé"
  }),
  list("a From with an encoded address as display name", "From: =?utf-8?q?boss=40example=2Ecom?= <eve@example.net>", {
    from: "eve@example.net"
  }),
  list("a From with two addresses, of which the first is used", "From: ada@example.com, eve@example.net", {
    from: "ada@example.com"
  }),
  list("two From fields", "From: ada@example.com\r\nFrom: eve@example.net", { from: "ada@example.com" }),
  list("a From with a group", "From: us: ada@example.com;", { from: "ada@example.com" }),
  list("a From with an unclosed angle bracket", "From: Ada <ada@example.com", { from: "ada@example.com" }),
  list("a From with an address of 400 characters", `From: ${"a".repeat(390)}@example.com`, { from: "" }),
  list("a From with a NUL", "From: ada\0@example.com", { from: "ada@example.com" }),
  list("a From with CRLF in the display name", "From: =?utf-8?q?a=0D=0Ab?= <ada@example.com>", { fromName: "a b" }),
  list("10,000 recipients", `To: ${"a@b.co, ".repeat(10_000)}`, { recipients: 1_000 }),
  list("20 To fields", "To: a@b.co, c@d.co\r\n".repeat(20).trim(), { recipients: 40 }),
  list("100,000 commas", `To: ${",".repeat(100_000)}`, { recipients: 0 }),
  list("a group", "To: friends: a@b.co, c@d.co;", { to: ["a@b.co", "c@d.co"] }),
  list("an empty group", "To: undisclosed-recipients:;", { to: [] }),
  list("nested groups", "To: a: b: c: d@e.co;;;", { recipients: 1 }),
  list("1,000 nested groups", `To: ${"a:".repeat(1_000)} d@e.co${";".repeat(1_000)}`, { from: "" }),
  list("50,000 colons", `To: ${":".repeat(50_000)}`, { recipients: 0 }),
  list("10,000 nested comments", `To: ${"(".repeat(10_000)}${")".repeat(10_000)} a@b.co`, { from: "" }),
  list("50,000 unclosed angle brackets of addresses", `To: ${"<".repeat(50_000)}`, { recipients: 0 }),
  list("100,000 quotes", `To: ${'"'.repeat(100_000)} a@b.co`, { from: "" }),
  list("100,000 at signs", `To: ${"@".repeat(100_000)}`, { recipients: 0 }),
  list("an address with two at signs", "To: a@b@c.co", { recipients: 1 }),
  list("100 KB of spaces between addresses", `To: a@b.co,${" ".repeat(100_000)}c@d.co`, { to: ["a@b.co", "c@d.co"] }),
  list("a source route", "To: <@one.co,@two.co:a@b.co>", { from: "" })
]

const validMail = lines(
  "From: ada@example.com",
  "Subject: valid",
  "Content-Type: multipart/mixed; boundary=b",
  "",
  "--b",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "Hello =C3=A9",
  "--b",
  "Content-Type: application/pdf; name=a.pdf",
  "Content-Transfer-Encoding: base64",
  "",
  "SGVsbG8gdGhlcmU=",
  "--b--"
)
const headerEnd = validMail.indexOf("\r\n\r\n") + 4

/** A valid mail with random octets replaced after the header; parsing must not fail. */
const corrupted = Array.from(
  { length: 30 },
  (_, seed): HostileMail => ({
    name: `a corrupted mail, ${seed}`,
    raw: () => {
      const random = seededRandom(seed + 1)
      const mail = bytes(validMail)
      for (let count = 0; count <= seed; count++) mail[headerEnd + random(mail.length - headerEnd)] = random(256)
      return mail
    },
    outcome: { from: "ada@example.com", subject: "valid" }
  })
)

const truncated = Array.from(
  { length: 15 },
  (_, at): HostileMail => ({
    name: `a truncated mail, ${at}`,
    raw: () => bytes(validMail.slice(0, headerEnd + at * 12)),
    outcome: { from: "ada@example.com", subject: "valid" }
  })
)

const randomOctets = Array.from(
  { length: 15 },
  (_, seed): HostileMail => ({
    name: `random octets, ${seed}`,
    raw: () => {
      const random = seededRandom(1_000 + seed)
      return Buffer.from(Array.from({ length: 50_000 }, () => random(256)))
    },
    outcome: { from: "", messageId: "", references: 0 }
  })
)

export const hostileContent = [
  ...charsets,
  ...encodings,
  ...bodies,
  ...names,
  ...addresses,
  ...corrupted,
  ...truncated,
  ...randomOctets
]
