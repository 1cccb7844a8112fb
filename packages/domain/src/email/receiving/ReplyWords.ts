// The words of mail programs around a quoted mail, in lower case, by language.

/** The fields of the header that Outlook and others put over a quoted mail. */
export type QuotedField = "from" | "date" | "to" | "subject"

const inLanguage = (
  from: ReadonlyArray<string>,
  date: ReadonlyArray<string>,
  to: ReadonlyArray<string>,
  subject: ReadonlyArray<string>
): Readonly<Record<QuotedField, ReadonlyArray<string>>> => ({ from, date, to, subject })

export const headerLabels = [
  // English, German, Dutch.
  inLanguage(["from"], ["sent", "date"], ["to"], ["subject"]),
  inLanguage(["von"], ["gesendet", "datum"], ["an"], ["betreff"]),
  inLanguage(["van"], ["verzonden", "datum"], ["aan"], ["onderwerp"]),
  // French, Spanish, Catalan, Portuguese, Italian, Romanian.
  inLanguage(["de"], ["envoyé", "envoyé le", "date", "message du"], ["à", "a", "pour"], ["objet", "sujet"]),
  inLanguage(["de"], ["enviado", "enviado el", "fecha"], ["para"], ["asunto"]),
  inLanguage(["de"], ["enviat", "enviat el", "data"], ["per a"], ["assumpte"]),
  inLanguage(["de"], ["enviado", "enviada", "enviado em", "enviada em", "data"], ["para"], ["assunto"]),
  inLanguage(["da"], ["inviato", "inviato il", "data"], ["a"], ["oggetto"]),
  inLanguage(["de la"], ["trimis", "data"], ["către"], ["subiect"]),
  // Swedish, Danish and Norwegian, Finnish, Estonian.
  inLanguage(["från"], ["skickat", "datum"], ["till"], ["ämne"]),
  inLanguage(["fra"], ["sendt", "dato"], ["til"], ["emne"]),
  inLanguage(["lähettäjä"], ["lähetetty", "päivämäärä", "päiväys"], ["vastaanottaja"], ["aihe"]),
  inLanguage(["saatja"], ["saadetud", "kuupäev"], ["adressaat"], ["teema"]),
  // Polish, Czech, Slovak, Croatian and Slovenian, Hungarian, Turkish.
  inLanguage(["od"], ["wysłano", "wysłane", "data"], ["do"], ["temat"]),
  inLanguage(["od"], ["odesláno", "datum"], ["komu"], ["předmět"]),
  inLanguage(["od"], ["odoslané", "dátum"], ["komu"], ["predmet"]),
  inLanguage(["šalje"], ["poslano"], ["za", "prima"], ["zadeva"]),
  inLanguage(["feladó"], ["elküldve", "küldve"], ["címzett"], ["tárgy"]),
  inLanguage(["kimden", "gönderen"], ["gönderildi", "gönderme tarihi", "tarih"], ["kime"], ["konu"]),
  // Russian, Ukrainian, Bulgarian, Greek, Hebrew, Arabic.
  inLanguage(["от", "от кого"], ["отправлено", "дата"], ["кому"], ["тема"]),
  inLanguage(["від", "від кого"], ["надіслано"], ["кому"], ["тема"]),
  inLanguage(["от"], ["изпратено"], ["до"], ["относно"]),
  inLanguage(["από"], ["στάλθηκε", "εστάλη", "ημερομηνία"], ["προς"], ["θέμα"]),
  inLanguage(["מאת"], ["נשלח", "תאריך"], ["אל"], ["נושא"]),
  inLanguage(["من"], ["تم الإرسال", "تاريخ الإرسال", "التاريخ"], ["إلى"], ["الموضوع"]),
  // Chinese, Japanese, Korean, Vietnamese, Indonesian.
  inLanguage(["发件人"], ["发送时间", "发送日期", "日期"], ["收件人"], ["主题"]),
  inLanguage(["寄件者", "寄件人"], ["寄件日期", "傳送時間"], ["收件者", "收件人"], ["主旨", "主題"]),
  inLanguage(["差出人", "送信者"], ["送信日時", "日時", "日付"], ["宛先"], ["件名"]),
  inLanguage(["보낸 사람", "보낸사람"], ["보낸 날짜", "보낸날짜", "날짜"], ["받는 사람", "받는사람"], ["제목"]),
  inLanguage(["từ"], ["đã gửi", "ngày"], ["đến", "tới"], ["chủ đề"]),
  inLanguage(["dari"], ["dikirim", "tanggal"], ["kepada", "ke"], ["subjek", "perihal"])
]

/** The lines over a quoted mail, between dashes. */
export const originalMarks: ReadonlyArray<string> = [
  ...["original message", "original email", "reply message", "ursprüngliche nachricht", "original-nachricht"],
  ...["originalnachricht", "antwort nachricht", "oorspronkelijk bericht", "origineel bericht"],
  ...["message d'origine", "message original", "mensaje original", "missatge original", "mensagem original"],
  ...["messaggio originale", "messaggio originario", "mesaj original", "ursprungligt meddelande"],
  ...["originalmeddelande", "ursprungsmeddelande", "oprindelig meddelelse", "oprindelig besked"],
  ...["opprinnelig melding", "alkuperäinen viesti", "wiadomość oryginalna", "oryginalna wiadomość"],
  ...["původní zpráva", "pôvodná správa", "originalna poruka", "izvorna poruka", "eredeti üzenet"],
  ...["orijinal ileti", "orijinal mesaj", "исходное сообщение", "оригинальное сообщение", "пересылка"],
  ...["первоначальное сообщение", "вихідне повідомлення", "αρχικό μήνυμα", "הודעה מקורית", "الرسالة الأصلية"],
  ...["原始邮件", "原始郵件", "原邮件", "元のメッセージ", "원본 메시지", "원본 메일", "thư gốc", "pesan asli"]
]

/** The lines over a forwarded mail, between dashes or before a colon. */
export const forwardMarks: ReadonlyArray<string> = [
  ...["forwarded message", "begin forwarded message", "weitergeleitete nachricht", "weitergeleitete mail"],
  ...["anfang der weitergeleiteten nachricht", "anfang der weitergeleiteten e-mail", "doorgestuurd bericht"],
  ...["begin doorgestuurd bericht", "message transféré", "courriel transféré", "début du message transféré"],
  ...["début du message réexpédié", "mensaje reenviado", "inicio del mensaje reenviado", "missatge reenviat"],
  ...["mensagem encaminhada", "mensagem reencaminhada", "início da mensagem encaminhada"],
  ...["início da mensagem reencaminhada", "messaggio inoltrato", "inizio messaggio inoltrato"],
  ...["inizio del messaggio inoltrato", "mesaj redirecționat", "vidarebefordrat meddelande"],
  ...["vidarebefordrat brev", "vidarebefordrat mejl", "videresendt meddelelse", "videresendt besked"],
  ...["videresendt melding", "videresendt e-post", "välitetty viesti", "edelleenlähetetty viesti"],
  ...["przekazana wiadomość", "wiadomość przekazana", "přeposlaná zpráva", "preposlaná správa"],
  ...["proslijeđena poruka", "továbbított üzenet", "yönlendirilmiş mesaj", "iletilmiş mesaj", "yönlendirilen ileti"],
  ...["пересылаемое сообщение", "пересылаемое письмо", "пересланное сообщение", "начало переадресованного сообщения"],
  ...["переслане повідомлення", "προωθημένο μήνυμα", "הודעה שהועברה", "رسالة معاد توجيهها"],
  ...["转发的邮件", "转发邮件", "转发的信息", "轉寄的郵件", "已轉寄的郵件", "転送されたメッセージ", "転送メッセージ"],
  ...["전달된 메일", "전달된 메시지", "thư đã chuyển tiếp", "pesan terusan"]
]

/** The first words of an attribution line, unless it begins with its date or an author. */
export const attributionOpenings: ReadonlyArray<string> = [
  ...["on", "am", "den", "op", "le", "el", "a", "il", "in data", "em", "no dia", "în", "på", "w dniu", "dnia", "dne"],
  ...["dňa", "dana", "στις", "в", "vào", "pada", "בתאריך", "في", "在"]
]

/** The first words of an attribution line without a date. */
export const quotingOpenings: ReadonlyArray<string> = ["quoting", "zitat von"]

/** The last words of an attribution line, before its colon. */
export const attributionEndings: ReadonlyArray<string> = [
  ...["wrote", "writes", "schrieb", "hat geschrieben", "schreef", "geschreven"],
  ...["a écrit", "a ecrit", "escribió", "escribio", "va escriure", "ha scritto", "escreveu", "a scris"],
  ...["skrev", "skrifaði", "kirjoitti", "kirjutas", "napisał", "napisała", "napisał(a)", "napisał/a", "pisze"],
  ...["napsal", "napsala", "napsal(a)", "napísal", "napísala", "napísal(a)", "je napisao", "je napisala"],
  ...["je napisao/la", "ezt írta", "írta", "şunu yazdı", "şunları yazdı", "yazdı"],
  ...["пишет", "писал", "писал(а)", "написал", "написала", "написал(а)", "пише", "написав", "написала", "написа"],
  ...["έγραψε", "כתב", "כתבה", "كتب", "写道", "寫道", "のメッセージ", "のメール", "さんは書きました"],
  ...["님이 작성", "작성", "đã viết", "menulis", "เขียนว่า"]
]

/** Verbs that the author follows: `Am 2. Januar um 10:00 schrieb Ada:`. */
export const attributionVerbs: ReadonlyArray<string> = [
  "schrieb",
  "schreef",
  "skrev",
  "wrote on",
  "כתב",
  "كتب",
  "ezt írta"
]

/** The first words of the line that a telephone or a program adds before its name. */
export const footerOpenings: ReadonlyArray<string> = [
  ...[
    "sent from",
    "sent via",
    "sent with",
    "sent using",
    "gesendet von",
    "gesendet mit",
    "gesendet aus",
    "gesendet über"
  ],
  ...["verzonden vanaf", "verzonden met", "verzonden via", "verstuurd vanaf", "verstuurd met", "provenance"],
  ...["envoyé de", "envoyé depuis", "envoyé à partir de", "envoyé à partir d'", "envoyé avec", "envoyé via"],
  ...["enviado desde", "enviado de", "enviado do", "enviado a partir", "enviado con", "enviado com", "enviado via"],
  ...["enviat des de", "inviato da", "inviato dal", "inviato con", "trimis de pe", "skickat från", "skickat med"],
  ...["sendt fra", "sendt med", "sendt via", "lähetetty", "wysłane z", "wysłano z", "odesláno z", "odoslané z"],
  ...["poslano z", "poslano s", "elküldve", "отправлено с", "отправлено из", "отправлено через", "надіслано з"],
  ...["στάλθηκε από", "נשלח מ", "تم الإرسال من", "发自", "發自", "从我的", "從我的", "dikirim dari", "được gửi từ"]
]

/** The last words of such a line, after the name. */
export const footerEndings: ReadonlyArray<string> = [
  ...["gesendet", "gönderildi", "から送信", "から送信しました", "에서 보냄", "에서 보냈습니다"]
]

/** Openings after which any device may follow. */
export const ownDeviceOpenings: ReadonlyArray<string> = [
  ...["sent from my", "von meinem", "gesendet von meinem", "gesendet von meiner", "gesendet mit meinem"],
  ...["verzonden vanaf mijn", "verstuurd vanaf mijn", "envoyé de mon", "envoyé depuis mon", "enviado desde mi"],
  ...["enviado do meu", "inviato dal mio", "skickat från min", "sendt fra min", "sendt fra mit", "wysłano z mojego"],
  ...["odesláno z mého", "отправлено с моего", "发自我的", "發自我的"]
]

/** The first words of the advertisement of Outlook for telephones. */
export const outlookOpenings: ReadonlyArray<string> = [
  ...["get", "download", "outlook", "holen sie sich", "laden sie", "obtenez", "obtenir", "télécharger", "obtener"],
  ...["obtenga", "obter", "obtenha", "ottieni", "scarica", "hämta", "hent", "hanki", "pobierz", "stáhnout"],
  ...["скачать", "получить", "获取", "取得", "下载"]
]

/** Telephones, and programs that add their name. */
export const footerNames: ReadonlyArray<string> = [
  ...["iphone", "ipad", "ipod", "ios", "android", "blackberry", "galaxy", "samsung", "huawei", "xiaomi", "redmi"],
  ...["oneplus", "oppo", "nokia", "motorola", "xperia", "windows", "smartphone", "mobile device", "mobiltelefon"],
  ...["outlook", "yahoo", "gmail", "aol", "gmx", "web.de", "t-online", "proton", "tutanota", "tuta", "fastmail"],
  ...["zoho", "mail.ru", "яндекс", "yandex", "icloud", "thunderbird", "typeapp", "bluemail", "mymail", "aqua mail"],
  ...["spark", "airmail", "sparrow", "mailbird", "superhuman", "acompli", "polymail", "mailspring", "em client"]
]
