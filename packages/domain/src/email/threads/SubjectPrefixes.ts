/** Prefixes of the subject of a reply, in lower case, by language. */
export const replyPrefixes: ReadonlyArray<string> = [
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
export const automaticPrefixes: ReadonlyArray<string> = [
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
