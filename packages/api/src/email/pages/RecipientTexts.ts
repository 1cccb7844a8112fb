import { qualityValues } from "../../http/Compression.js"

/** The texts of the pages for recipients. Parameters are HTML: names and addresses as marked by the page. */
const en = {
  unsubscribe: "Unsubscribe",
  stop: (organization: string, recipient: string) => `Stop e-mail of these kinds from ${organization} to ${recipient}?`,
  unsubscribed: "Unsubscribed",
  stopped: (organization: string, recipient: string) =>
    `${organization} no longer sends e-mail of these kinds to ${recipient}. Other e-mail, like password resets, still arrives.`,
  invalidLink: "This link is not valid",
  checkLink: "Check that you opened the complete link, and that there is no newer e-mail.",
  confirmSender: "Confirm a sender",
  asked: (organization: string, address: string) => `${organization} asks to send e-mail from ${address}.`,
  confirm: "Confirm this address",
  notExpected: "If you did not expect this, close this page. No e-mail is sent from your address.",
  confirmed: "Confirmed",
  canSend: (address: string) => `E-mail can now be sent from ${address}. You can close this page.`,
  alreadyConfirmed: "Already confirmed",
  used: "This link was already used. The address is confirmed.",
  expired: "This link has expired",
  addAgain: "A link is valid for 48 hours. Add the sender again to get a new link."
}

export type RecipientTexts = Readonly<typeof en>

/** By language (RFC 5646). The first one is the default. */
const texts = {
  en,
  de: {
    unsubscribe: "Abmelden",
    stop: (organization, recipient) => `E-Mails dieser Art von ${organization} an ${recipient} abbestellen?`,
    unsubscribed: "Abgemeldet",
    stopped: (organization, recipient) =>
      `${organization} sendet keine E-Mails dieser Art mehr an ${recipient}. Andere E-Mails, etwa zum Zurücksetzen eines Passworts, kommen weiterhin an.`,
    invalidLink: "Dieser Link ist nicht gültig",
    checkLink: "Prüfen Sie, ob Sie den vollständigen Link geöffnet haben und ob es keine neuere E-Mail gibt.",
    confirmSender: "Absender bestätigen",
    asked: (organization, address) => `${organization} möchte E-Mails von ${address} senden.`,
    confirm: "Diese Adresse bestätigen",
    notExpected:
      "Wenn Sie dies nicht erwartet haben, schließen Sie diese Seite. Von Ihrer Adresse wird dann keine E-Mail gesendet.",
    confirmed: "Bestätigt",
    canSend: (address) => `Von ${address} können jetzt E-Mails gesendet werden. Sie können diese Seite schließen.`,
    alreadyConfirmed: "Bereits bestätigt",
    used: "Dieser Link wurde schon verwendet. Die Adresse ist bestätigt.",
    expired: "Dieser Link ist abgelaufen",
    addAgain: "Ein Link ist 48 Stunden gültig. Fügen Sie den Absender erneut hinzu, um einen neuen Link zu erhalten."
  },
  fr: {
    unsubscribe: "Se désabonner",
    stop: (organization, recipient) =>
      `Ne plus recevoir à l’adresse ${recipient} les e-mails de ce type envoyés par ${organization} ?`,
    unsubscribed: "Désabonnement effectué",
    stopped: (organization, recipient) =>
      `${organization} n’enverra plus d’e-mails de ce type à ${recipient}. Les autres e-mails, comme ceux de réinitialisation d’un mot de passe, arrivent toujours.`,
    invalidLink: "Ce lien n’est pas valide",
    checkLink: "Vérifiez que vous avez ouvert le lien complet et qu’il n’y a pas d’e-mail plus récent.",
    confirmSender: "Confirmer un expéditeur",
    asked: (organization, address) => `${organization} demande à envoyer des e-mails depuis ${address}.`,
    confirm: "Confirmer cette adresse",
    notExpected:
      "Si vous n’attendiez pas cette demande, fermez cette page. Aucun e-mail ne sera envoyé depuis votre adresse.",
    confirmed: "Confirmé",
    canSend: (address) =>
      `Des e-mails peuvent maintenant être envoyés depuis ${address}. Vous pouvez fermer cette page.`,
    alreadyConfirmed: "Déjà confirmé",
    used: "Ce lien a déjà été utilisé. L’adresse est confirmée.",
    expired: "Ce lien a expiré",
    addAgain: "Un lien est valable 48 heures. Ajoutez de nouveau l’expéditeur pour obtenir un nouveau lien."
  },
  es: {
    unsubscribe: "Darse de baja",
    stop: (organization, recipient) => `¿Dejar de recibir correos de este tipo de ${organization} en ${recipient}?`,
    unsubscribed: "Baja realizada",
    stopped: (organization, recipient) =>
      `${organization} ya no envía correos de este tipo a ${recipient}. Otros correos, como los de restablecer una contraseña, siguen llegando.`,
    invalidLink: "Este enlace no es válido",
    checkLink: "Compruebe que ha abierto el enlace completo y que no hay un correo más reciente.",
    confirmSender: "Confirmar un remitente",
    asked: (organization, address) => `${organization} solicita enviar correos desde ${address}.`,
    confirm: "Confirmar esta dirección",
    notExpected: "Si no esperaba esta solicitud, cierre esta página. No se enviará ningún correo desde su dirección.",
    confirmed: "Confirmado",
    canSend: (address) => `Ya se pueden enviar correos desde ${address}. Puede cerrar esta página.`,
    alreadyConfirmed: "Ya confirmado",
    used: "Este enlace ya se ha utilizado. La dirección está confirmada.",
    expired: "Este enlace ha caducado",
    addAgain: "Un enlace es válido durante 48 horas. Añada el remitente de nuevo para obtener otro enlace."
  },
  pt: {
    unsubscribe: "Cancelar inscrição",
    stop: (organization, recipient) => `Deixar de receber e-mails deste tipo de ${organization} em ${recipient}?`,
    unsubscribed: "Inscrição cancelada",
    stopped: (organization, recipient) =>
      `${organization} não envia mais e-mails deste tipo para ${recipient}. Outros e-mails, como os de redefinição de senha, continuam a chegar.`,
    invalidLink: "Este link não é válido",
    checkLink: "Verifique se abriu o link completo e se não há um e-mail mais recente.",
    confirmSender: "Confirmar um remetente",
    asked: (organization, address) => `${organization} pede para enviar e-mails a partir de ${address}.`,
    confirm: "Confirmar este endereço",
    notExpected: "Se não esperava este pedido, feche esta página. Nenhum e-mail será enviado a partir do seu endereço.",
    confirmed: "Confirmado",
    canSend: (address) => `Já é possível enviar e-mails a partir de ${address}. Pode fechar esta página.`,
    alreadyConfirmed: "Já confirmado",
    used: "Este link já foi utilizado. O endereço está confirmado.",
    expired: "Este link expirou",
    addAgain: "Um link é válido por 48 horas. Adicione o remetente novamente para receber um novo link."
  },
  ja: {
    unsubscribe: "配信停止",
    stop: (organization, recipient) => `${organization} から ${recipient} への次の種類のメールの配信を停止しますか？`,
    unsubscribed: "配信を停止しました",
    stopped: (organization, recipient) =>
      `${organization} から ${recipient} への次の種類のメールは今後送信されません。パスワードの再設定など、その他のメールは引き続き届きます。`,
    invalidLink: "このリンクは無効です",
    checkLink: "リンク全体を開いたこと、また、より新しいメールが届いていないことを確認してください。",
    confirmSender: "送信者の確認",
    asked: (organization, address) => `${organization} が ${address} からのメール送信を求めています。`,
    confirm: "このアドレスを確認する",
    notExpected: "心当たりがない場合は、このページを閉じてください。あなたのアドレスからメールは送信されません。",
    confirmed: "確認しました",
    canSend: (address) => `${address} からメールを送信できるようになりました。このページを閉じてかまいません。`,
    alreadyConfirmed: "確認済みです",
    used: "このリンクはすでに使用されています。アドレスは確認済みです。",
    expired: "このリンクは期限切れです",
    addAgain: "リンクの有効期間は48時間です。新しいリンクを受け取るには、送信者をもう一度追加してください。"
  }
} as const satisfies Readonly<Record<string, RecipientTexts>>

export type Language = keyof typeof texts

const isLanguage = (tag: string): tag is Language => Object.hasOwn(texts, tag)

const defaultLanguage: Language = "en"

/**
 * The language of `Accept-Language` with the highest weight of which there are texts (RFC 4647 section 3.4: `pt-BR` is
 * `pt`).
 */
export const languageOf = (acceptLanguage = ""): Language => {
  const ranges = [...qualityValues(acceptLanguage)].filter(([, weight]) => weight > 0)
  const languages = ranges.sort(([, left], [, right]) => right - left).map(([range]) => range.split("-")[0] ?? "")
  return languages.find(isLanguage) ?? defaultLanguage
}

export const textsOf = (language: Language): RecipientTexts => texts[language]
