/** The words that mail readers set before the subject of an answer, in lower case, by language. */
const answers: ReadonlyArray<string> = [
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

/** Likewise of what is passed on. */
const forwards: ReadonlyArray<string> = [
  // English; German; French; Spanish; Portuguese; Italian; Dutch.
  ...["fw", "fwd", "wg", "tr", "rv", "enc", "i", "doorst"],
  // Swedish; Finnish; Icelandic; Polish; Hungarian; Turkish; Indonesian; Welsh.
  ...["vb", "vl", "fs", "pd", "továbbítás", "ilt", "i̇lt", "trs", "yml"],
  // Greek; Russian; Hebrew; Arabic.
  ...["πρθ", "пересл", "הועבר", "إعادة توجيه"],
  // Chinese, Japanese, Korean.
  ...["转发", "轉寄", "轉發", "転送", "전달"]
]

/** What programs set before the subject of whatever they answer for somebody. */
const automatic: ReadonlyArray<string> = [
  ...["automatic reply", "auto reply", "autoreply", "out of office", "automatische antwort", "abwesenheitsnotiz"],
  ...["réponse automatique", "respuesta automática", "risposta automatica", "resposta automática"],
  ...["automatisch antwoord", "autosvar", "automaattinen vastaus", "odpowiedź automatyczna", "автоответ", "自动回复"]
]

const words = [...answers, ...forwards, ...automatic].sort((left, right) => right.length - left.length).join("|")

/** A word, a counter as `Re[2]:`, `Re(2):`, `Re^2:`, `Re 2:`, and a colon, also one of full width. */
const prefix = new RegExp(
  `^(?:${words})(?:\\s?\\[\\d{1,4}\\]|\\s?\\(\\d{1,4}\\)|[*^]\\d{1,4}|\\s\\d{1,4})?\\s{0,3}[:：]\\s*`
)

/** What gateways set before the subject of a mail from outside, and what is set before the word by whoever answers. */
const outsideTag = /^\[(?:ext|extern|external|externe|externo|esterno)\b[^\]]{0,30}\]\s*/
const tag = /^\[[^[\]]{1,60}\]\s*/

/** Pine's, and old Netscape's way of passing on. */
const suffix = /\s*\(fwd\)$/
const wrapped = /^\[(?:fwd|fw):\s*(.*)\]$/

/** No reader shows more of it, and nobody answers with less. */
const longest = 1_000

const stripOnce = (text: string): string => {
  const bare = text.replace(outsideTag, "").replace(prefix, "").replace(wrapped, "$1").replace(suffix, "").trim()
  if (bare !== text) return bare
  const behind = text.replace(tag, "")
  return prefix.test(behind) ? behind : text
}

const strip = (text: string): string => {
  const shorter = stripOnce(text)
  return shorter === text ? text : strip(shorter)
}

const folded = (subject: string): string =>
  subject.slice(0, longest).normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim()

/** What a subject says apart from how often it was answered and passed on: the same for all mails of an exchange. */
export const baseSubject = (subject: string): string => strip(folded(subject))

/** Whether a subject says that the mail answers another or passes it on. */
export const isAnswerSubject = (subject: string): boolean => {
  const text = folded(subject).replace(outsideTag, "")
  return prefix.test(text) || wrapped.test(text) || suffix.test(text) || prefix.test(text.replace(tag, ""))
}
