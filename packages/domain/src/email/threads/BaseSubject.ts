import { Option } from "effect"

/** Prefixes of the subject of a reply, in lower case, by language. */
const replyPrefixes: ReadonlyArray<string> = [
  // English and what most others use; French, Italian, Portuguese, Romanian.
  ...["re", "rép", "rep", "réf", "ref", "rif", "r", "res", "ris"],
  // German, Dutch; Danish, Norwegian, Swedish, Icelandic; Finnish, Estonian.
  ...["aw", "antw", "antwort", "sv", "vs"],
  // Polish, Czech, Slovak; Croatian, Slovenian; Hungarian; Latvian, Welsh; Lithuanian; Turkish; Indonesian.
  ...["odp", "odg", "vá", "atb", "ats", "ynt", "yan", "bls"],
  // Greek, Russian, Ukrainian, Serbian; Hebrew; Arabic; Thai.
  ...["απ", "σχετ", "отв", "ответ", "на", "відп", "одг", "השב", "תגובה", "رد", "ตอบ"],
  // Chinese, Japanese, Korean.
  ...["回复", "回覆", "答复", "答覆", "返信", "회신", "답장"]
]

/** Prefixes of the subject of a forwarded mail, in lower case, by language. */
export const forwardPrefixes: ReadonlyArray<string> = [
  // English; German; French; Spanish; Portuguese; Italian; Dutch.
  ...["fw", "fwd", "wg", "tr", "rv", "enc", "i", "doorst"],
  // Swedish; Finnish; Icelandic; Polish; Hungarian; Turkish; Indonesian; Welsh.
  ...["vb", "vl", "fs", "pd", "továbbítás", "ilt", "i̇lt", "trs", "yml"],
  // Greek; Russian; Hebrew; Arabic.
  ...["πρθ", "пересл", "הועבר", "إعادة توجيه"],
  // Chinese, Japanese, Korean.
  ...["转发", "轉寄", "轉發", "転送", "전달"]
]

/** Prefixes of the subject of an automatic reply, in lower case, by language: of Exchange and of common responders. */
const automaticPrefixes: ReadonlyArray<string> = [
  // English.
  ...["automatic reply", "automatic response", "automated reply", "automated response", "auto reply", "auto-reply"],
  ...["autoreply", "auto response", "auto-response", "autoresponse", "vacation reply", "out of office"],
  ...["out of the office", "out of office autoreply", "out of office auto-reply", "out of office reply"],
  // German, Dutch.
  ...["automatische antwort", "abwesenheitsnotiz", "abwesenheitsnachricht", "automatische beantwortung"],
  ...["automatisch antwoord", "automatische reactie", "afwezigheidsbericht"],
  // French, Spanish, Catalan, Portuguese, Italian, Romanian.
  ...["réponse automatique", "réponse d'absence du bureau", "absence du bureau", "respuesta automática"],
  ...["fuera de la oficina", "resposta automàtica", "resposta automática", "fora do escritório"],
  ...["risposta automatica", "fuori sede", "fuori ufficio", "răspuns automat"],
  // Danish, Norwegian, Swedish; Finnish, Estonian; Latvian, Lithuanian.
  ...["automatisk svar", "autosvar", "automatiskt svar", "frånvaromeddelande", "fraværsmelding"],
  ...["automaattinen vastaus", "automaatvastus", "automātiska atbilde", "automatinis atsakymas"],
  // Polish, Czech, Slovak, Slovenian, Croatian and Serbian, Bulgarian, Russian, Ukrainian.
  ...["odpowiedź automatyczna", "automatyczna odpowiedź", "automatická odpověď", "automatická odpoveď"],
  ...["samodejni odgovor", "automatski odgovor", "аутоматски одговор", "автоматичен отговор"],
  ...["автоматический ответ", "автоответ", "автоматична відповідь"],
  // Hungarian, Turkish, Greek, Hebrew, Arabic.
  ...["automatikus válasz", "otomatik yanıt", "αυτόματη απάντηση", "תשובה אוטומטית", "رد تلقائي"],
  // Indonesian, Vietnamese, Thai; Chinese, Japanese, Korean.
  ...["balasan otomatis", "trả lời tự động", "การตอบกลับอัตโนมัติ", "ตอบกลับอัตโนมัติ"],
  ...["自动回复", "自動回覆", "自动答复", "自動応答", "自動返信", "자동 회신", "자동 응답", "자동 답장"]
]

const anyOf = (words: ReadonlyArray<string>): string =>
  words.toSorted((left, right) => right.length - left.length).join("|")

/** A counter: `Re[2]`, `Re(2)`, `Re^2`, `Re 2`. */
const counter = "(?:\\s?\\[\\d{1,4}\\]|\\s?\\(\\d{1,4}\\)|[*^]\\d{1,4}|\\s\\d{1,4})?"

/** The colon may be a fullwidth one. */
const prefix = new RegExp(
  `^(?:${anyOf([...replyPrefixes, ...forwardPrefixes, ...automaticPrefixes])})${counter}\\s{0,3}[:：]\\s*`
)

/** Some responders omit the original subject after the prefix. */
const automatic = new RegExp(`^(?:${anyOf(automaticPrefixes)})\\s{0,3}(?:[:：]|$)`)

const external = "(?:ext|extern|external|externe|externo|esterno)\\b"
const certainty =
  "(?:suspected|suspicious|possible|possibly|probable|probably|likely|potential|definitely|high scoring)"
const spam = `(?:${certainty}[ _-])?(?:spam|phishing)(?:[ _:?!#.,=/\\d-]|mail|message|detected|verdacht|score|warning){0,20}`
const stroke = "[*_#=~!+-]{1,10}"

/**
 * Marks that spam filters and gateways add to mail on its way: `***SPAM***`, `[SUSPECTED SPAM]`, `{Spam?}`,
 * `[EXTERNAL]`. Some mails of a thread have them.
 */
const mark = new RegExp(
  `^(?:(?:[[{(<] ?(?:${stroke})? ?${spam}(?:${stroke})? ?[\\]})>]|${stroke} ?(?:${spam}|${external}[a-z -]{0,20}) ?${stroke}|[[{<]${external}[^\\]}>]{0,30}[\\]}>])\\s*(?:[:-]\\s*)?)+`
)

/** A tag of a list, a ticket system or a gateway. */
const tag = /^(?:\[[^[\]]{1,60}\]|\{[^{}]{1,40}\}|【[^【】]{1,40}】|(?:spam|external)\s?[:：])\s*/

/** The forward marks of Pine and of old Netscape. */
const suffix = /\s*\(fwd\)$/
const wrapped = /^\[(?:fwd|fw):\s*(.*)\]$/

/** The maximum number of compared characters of a subject. */
const maxSubjectLength = 1_000

const folded = (subject: string): string =>
  subject.slice(0, maxSubjectLength).normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim()

/** A subject as far as it identifies a thread. */
export interface ThreadSubject {
  /** Whether the subject has a reply or forward prefix. */
  readonly isReply: boolean
  /** The subject without prefixes, the tags before them, and the marks of filters. */
  readonly base: string
  /** The base subjects that the answered mail may have: that of a reply with and without its tags. */
  readonly forms: ReadonlyArray<string>
}

/** Parses a subject. The tags of a subject without a prefix are a part of it: they distinguish threads. */
export const threadSubject = (subject: string): ThreadSubject => {
  let text = folded(subject)
  let isReply = false
  const before: Array<string> = []
  let tags: Array<string> = []
  for (let previous: string | null = null; text !== previous; ) {
    previous = text
    text = text.replace(mark, "")
    const bare = text.replace(prefix, "").replace(wrapped, "$1").replace(suffix, "").trim()
    const [found = ""] = bare === text ? (tag.exec(text) ?? []) : []
    if (bare !== text) {
      isReply = true
      before.push(...tags)
      tags = []
    } else if (found !== "") tags.push(found.trim())
    text = bare.slice(found.length)
  }
  const joined = (some: ReadonlyArray<string>) => [...some, text].join(" ").trim()
  const all = [...before, ...tags]
  return {
    isReply,
    base: joined(tags),
    forms: isReply ? [...all.map((_, at) => joined(all.slice(at))), text].filter((form) => form !== "") : [joined(tags)]
  }
}

/**
 * How well the subject of a mail, which can be a reply itself, is that of a reply's parent: 0 for the most tags in common;
 * none if it is another subject.
 */
export const parentRank = (reply: ThreadSubject, parent: ThreadSubject): Option.Option<number> => {
  const rank = reply.forms.indexOf(parent.base)
  if (rank >= 0) return Option.some(rank)
  return parent.forms.includes(reply.base) ? Option.some(reply.forms.length) : Option.none()
}

/** Whether a subject has a reply or forward prefix. */
export const isReplySubject = (subject: string): boolean => threadSubject(subject).isReply

/** Whether a subject begins with the prefix of an automatic reply. A reply to an automatic reply does not. */
export const isAutomaticSubject = (subject: string): boolean => automatic.test(folded(subject).replace(mark, ""))
