import { Schema } from "effect"
import { codesIn, type SmtpCodes } from "./SmtpCodes.js"

/** Why a delivery failed or was deferred. */
export const FailureReason = Schema.Literal(
  "user_unknown",
  "host_unknown",
  "user_disabled",
  "moved",
  "mailbox_full",
  "message_too_large",
  "too_many_recipients",
  "rate_limited",
  "sender_blocked",
  "authentication",
  "policy",
  "spam",
  "content",
  "relay_denied",
  "greylisted",
  "network",
  "system",
  "expired",
  "unknown"
).annotations({ identifier: "FailureReason" })
export type FailureReason = typeof FailureReason.Type

/** A reply of a server, or what a report says about a recipient. */
export interface FailureText extends SmtpCodes {
  readonly text: string
}

/** One row of the table: it applies if each given property matches. */
interface Rule {
  readonly reason: FailureReason
  /** Subject and detail of the enhanced code, without its class: a pattern that must match completely. */
  readonly code?: string
  readonly smtpCode?: number
  /** Patterns of words in lower case; an address is written `@`. */
  readonly words?: ReadonlyArray<string>
}

/**
 * The first rule that applies gives the reason. Words of quota, rate, blocklists, spam and policy come first, because
 * servers use them with the code of an unknown address; then clear words about an address, which servers use with
 * general codes; then codes; then words that are less specific.
 */
const table: ReadonlyArray<Rule> = [
  {
    reason: "too_many_recipients",
    words: [
      "too many recipients(?! this| in the last| per (hour|day))",
      "maximum number of recipients",
      "too much recipients"
    ]
  },
  {
    reason: "rate_limited",
    words: [
      "too many recipients this (hour|day)",
      "rate[- ]limit",
      "(sending|delivery|message|mail|connection|receiving) rate (limit|exceed|is)",
      "(mail|messages?) (sent )?at a rate",
      "exceed(s|ed|ing)? .{0,40}(rate|per (second|minute|hour|day)|hourly|daily|connection limit|connections|throttl)",
      "(hourly|daily) .{0,30}(limit|quota|maximum)",
      "too many (concurrent |simultaneous |smtp )*(connections|sessions|messages|mails|errors|emails)\\b(?! on the server)",
      "throttl(ed|ing)",
      "(send|try again) (more )?(slower|slowly)",
      "(mail|messages?) too (quickly|fast|often)",
      "unusual rate of|unexpected volume",
      "trop de connexions"
    ]
  },
  {
    reason: "greylisted",
    words: ["gr[ea]y-? ?list", "postgrey", "temporar(y|ily) .{0,40}gr[ea]y"]
  },
  {
    reason: "message_too_large",
    words: [
      "(message|mail|e-mail|content|body)( size| length)? (is )?(too (large|big|long)|exceed(s|ed)|exceeding|larger than|over (the )?(size )?limit)(?!.{0,30}(storage|quota|space))",
      "message (file )?size (exceeds|limit|is too)",
      "(exceeds?|exceeded|larger than|over) .{0,30}(message|mail) size",
      "exceeded the maximum size",
      "size (of this message )?exceeds (the )?(fixed )?(maximum|limit)",
      "resolver\\.rst\\.(sendsizelimit|recipsizelimit)"
    ]
  },
  {
    reason: "mailbox_full",
    words: [
      "(mailbox|mail box|inbox|account|maildir|mailfolder|mail folder|mbox|postfach|user|recipient|boite .{0,30})( is| has been|'s)? ?(temporarily )?(full|pleine|voll)\\b",
      "full mailbox",
      "quota",
      "exceeded (its |the )?(storage|disk space)",
      "storage (allocation|limit)",
      "(disk|storage|mailbox|enough) space",
      "no space left",
      "not enough (storage|disk|space)",
      "(mailbox|account|user|recipient)\\b.{0,40} (exceeds?|exceeded|has exceeded|over|reached|would exceed) .{0,30}(size|storage|limit|space|maximum)",
      "mailbox (size|exceed|limit)",
      "too many messages on the server",
      "too much mail data",
      "space has been used up"
    ]
  },
  {
    reason: "authentication",
    words: [
      "\\bspf\\b",
      "\\bdkim\\b",
      "\\bdmarc\\b",
      "sender policy framework",
      "\\bptr\\b",
      "reverse[- ]?dns",
      "\\brdns\\b",
      "reverse (lookup|host|name|address)",
      "cannot find your (reverse )?hostname",
      "(cannot|could not|can't|unable to) resolve your",
      "client host rejected: cannot find",
      "ip name lookup failed",
      "unresolvable relay host|forward dns|dynamic (ip|dns)",
      "unauthenticated (mail|email|senders)",
      "sender id \\(pra\\)|purported responsible"
    ]
  },
  {
    reason: "spam",
    words: [
      "\\bspam(?!haus|cop)",
      "unsolicited|\\buce\\b|\\bube\\b|bulk (e-?)?mail|mass mail",
      "junk mail",
      "spamassassin|anti-?spam",
      "(message|mail|content) (was )?(rejected|refused|filtered|blocked)( by| due to| for| as)? .{0,30}(filter|content)",
      "message filtered|content filter|content rejected|mail content denied",
      "uribl|surbl"
    ]
  },
  {
    reason: "content",
    words: [
      "virus|malware|phishing|infected|trojan",
      "(illegal|prohibited|executable|dangerous|forbidden) .{0,20}(attachment|file|content|extension)",
      "attachments? .{0,40}(not allowed|not accepted|blocked|prohibited|rejected)",
      "(duplicate|missing|invalid|malformed|bad|multiple|illegal) .{0,20}header",
      "header (error|size|are not)",
      "(not|non)[- ].{0,20}\\brfc|rfc ?-?(2822|5322)\\b",
      "mime (header|complexity|error)",
      "8-?bit (data|mime)|base64 encoding",
      "(message|content) (contains?|contained|has) .{0,40}(unacceptable|prohibited|illegal|bare|binary)"
    ]
  },
  {
    reason: "sender_blocked",
    words: [
      "spamhaus|spamcop|barracudacentral|\\bsorbs\\b|abuseat|senderscore|proofpoint\\.com",
      "black[- ]?list|block[- ]?list|\\bdnsbl|\\brbl\\b|\\b[dsx]bl\\b|deny ?list",
      "(poor|bad|low|no|ip|domain|sender|mta's|e?-?mail) reputation|reputation (score|problem|of)",
      "(banned|bad|blocked) (sender|sending) ?ip|\\bip (address )?(is |has been )?(blocked|banned|rejected|listed)",
      "(host|server|ip|network|address|client)\\b.{0,60} (is |has been |was |are )?(temporarily |permanently )?(blocked|banned|blacklisted|listed)\\b",
      "blocked (using|by|for|due|from|-|see)|access from ip|\\d{1,3}(\\.\\d{1,3}){3}\\]? (is |was )?(currently )?(listed|blocked)",
      "sending (ip|server|mta|host)",
      "(mail|messages|connections?) from .{0,60}(blocked|refused|not accepted|rejected|temporarily deferred)",
      "(not|don't|do not) accept(ing)? (mail|connections|messages|email) from",
      "client host rejected|you are not allowed to connect|bad ip profile|open proxy",
      "helo command rejected|go away|access forbidden|part of their network",
      "user complaints"
    ]
  },
  {
    reason: "relay_denied",
    words: [
      "relay(ing)? (access |mail |to .{0,60})?(is |was )?(denied|not (permitted|allowed)|prohibited|refused)",
      "(no|not|not allowed to|unable to|cannot|can't|refused to|permitted to) (an open )?relay",
      "not (configured|allowed|permitted) to relay|insecure mail relay|use as a relay",
      "(isn't|is not) in my list of allowed rcpthosts",
      "(requires|required|need|without|turned on) .{0,30}authentication|authentication (is )?(required|turned on)",
      "not a gateway|don't handle mail for|not local host"
    ]
  },
  {
    reason: "policy",
    words: [
      "\\b(policy|policies)\\b(?! framework)",
      "(in reply to|after) (the )?(pipelined )?mail from|valid from:",
      "security (rules|settings)|organi[sz]ational settings|administrative(ly)? (prohibition|prohibited|denied)",
      "not (authorized|allowed|permitted) to (send|post|submit)|delivery not authorized|resolver\\.rst\\.(notauthorized|authrequired|restricted)",
      "(moderated|members[- ]only|closed) (mailing )?list|non-member|not subscribed",
      "(sender|from|return) (address |domain |e?-?mail address )?(was |is |has been )?(rejected|not (accepted|verified|allowed)|denied|refused)",
      "sender (verify|verification|callout|callback) failed|(invalid|empty|null|bogus|unroutable|unrouteable) .{0,10}(sender|envelope senders?|return path|mail from)\\b",
      "domain of sender|sender domain|sender's? (address|domain)|your (email )?address (has been|is) (rejected|blocked)",
      "\\bbatv\\b|backscatter|third-party dsns|returned mail not accepted",
      "(is )?only accepting mail from|not accepting mail with|(user|recipient|mailbox) (refuses|preferences|rejects|has rejected|rules)",
      "blocked by the recipient|denied \\[?bouncedeny|protected by"
    ]
  },
  {
    reason: "expired",
    words: ["retry timeout exceeded", "retry time not reached for any host after a long failure period"]
  },
  { reason: "policy", code: "1\\.[78]" },
  { reason: "mailbox_full", code: "2\\.2" },
  { reason: "message_too_large", code: "2\\.3|3\\.4" },
  {
    reason: "moved",
    words: [
      "(user|recipient|mailbox|address|account) (has )?(moved|changed (his|her|their|its)? ?(address|e-?mail))",
      "has moved|address (has )?changed|new (e-?mail )?address|no longer (works|employed|with (us|the company))|has left the"
    ]
  },
  {
    reason: "user_unknown",
    words: [
      "(user|recipient|mailbox|address|account|addressee|destinataire|person|mail box|customer|usuario|alias|login)( name)?( @| <@>| \\(@\\)|\\(s\\)|s)?( is| was| are| were)? ?(unknown|not found|not known|inconnu|unbekannt|invalid|inexistent|nonexistent|non-existent)\\b",
      "(unknown|no such|invalid|non-?existent|not a valid|bad|no valid|incorrect|not found|not a known|not a local|no) (or (unknown|invalid|inactive) )?(local |virtual |destination |mail |email |e-mail )?(user|recipient|mailbox|account|person|addressee|local[- ]?part|users|recipients|alias|address(?! error|.{0,20}sender)|mail ?box|local delivery|mail drop)",
      "(user|recipient|mailbox|address|account|person|e-?mail|inbox|@>?):?.{0,60}(does not|doesn't|do not|don't|did not|didn't|not) exist",
      "(account|mailbox|user|address|recipient|@>?) .{0,30}(not|no longer) (available|in use|valid|active|listed|present|on this server|a known user|a valid|local|recogni[sz]ed|recognised)\\b",
      "not listed in|not present in directory|in name directory|not in (the |my |our )?(directory|address ?book|validrcptto)",
      "name (is )?not (recogni[sz]ed|found)",
      "no (mailbox|account|mail box|user|one|person) (here |by that name|at this address|with that|with this|available|found|named)",
      "(doesn't|does not|don't) have (a|an) .{0,40}account",
      "couldn't be found|could not be found|can't be found|wasn't found|was not found( at| in)?|unable to find (the )?(recipient|user|address)",
      "addresses? (were |was |is |are )?unknown|unknown (to address|address(?! error)|e-?mail)|address unknown",
      "badrcptto|envelope recipient has been denied|badrecipientto",
      "destination server rejected recipients|no longer accepts mail",
      "resolver\\.adr\\.(recipient ?notfound|recipnotfound|exrecipnotfound|invalidsmtp)",
      "destinat[aá]rio|utilisateur inconnu|adresse .{0,40}invalide|no existe|nessun utente|unbekannter (benutzer|empf)|kein(e|en)? (postfach|empf)|inconnu",
      "user missing home directory|final delivery userid|can't accept user|no local mailbox|cannot find (the )?user|not a user here|not our customer",
      "unknown .{0,20}user|unrecogni[sz]ed (recipient|user)|recipient .{0,20}not accepted here"
    ]
  },
  { reason: "user_unknown", code: "4\\.1", words: ["access denied"] },
  // Exim, as the reply of a domain's server to an unknown user; its reports about a domain have no SMTP code.
  { reason: "user_unknown", smtpCode: 550, words: ["unrout(e)?able address"] },
  {
    reason: "host_unknown",
    words: [
      "host(name)? (or domain name )?(is )?(unknown|not found(?!, try again))|unknown (host|domain|mail server)",
      "[a-z0-9-]\\.[a-z]{2,} (does not|doesn't) exist",
      "(host or )?domain (name )?(does not exist|doesn't exist|not found|unknown|is not reachable|must exist|is invalid|not exist|couldn't be found|could not be found)",
      "no such (domain|host)|\\bnxdomain\\b|non-?existent (domain|host)|domain .{0,60}(does not|doesn't) exist",
      "host [a-z0-9.-]+ not found|indicated no smtp service|name or service not known|unrout(e)?able (mail )?(address|domain)|all relevant mx records point to non-existent hosts",
      "(does not|doesn't) accept (any )?mail|null ?mx|no mx (record|or a)",
      "no mail(server| server| exchanger| host)|bad (destination )?(host|domain|system)|illegal host",
      "couldn't find any host named|dns error.{0,60}(not found|non-existent)"
    ]
  },
  {
    reason: "user_disabled",
    words: [
      "(account|mailbox|user|recipient|address|@>?)\\b.{0,50}(?<!temporar(y|ily) )(disabled|deactivated|discontinued|terminated|suspended|closed|frozen|inactive|not active|archived)\\b(?!.{0,20}temporar)",
      "(disabled|deactivated|discontinued|terminated|suspended|closed|frozen|inactive|archived) (user|account|mailbox|recipient|address)",
      "user or domain is disabled|not activated"
    ]
  },
  { reason: "user_unknown", code: "1\\.[13]" },
  { reason: "host_unknown", code: "1\\.(2|10)|4\\.310" },
  { reason: "host_unknown", smtpCode: 521 },
  { reason: "host_unknown", smtpCode: 556 },
  {
    reason: "user_unknown",
    smtpCode: 550,
    words: ["requested action not taken: mailbox unavailable(?!.{0,40}explanation)"]
  },
  { reason: "moved", code: "1\\.6" },
  { reason: "user_disabled", code: "2\\.1" },
  { reason: "too_many_recipients", code: "5\\.3" },
  { reason: "authentication", code: "7\\.(2\\d|509)" },
  { reason: "sender_blocked", code: "7\\.(50[1-3]|511|6\\d\\d|70[58]|71\\d)" },
  { reason: "rate_limited", code: "7\\.23[23]|2\\.12[01]" },
  { reason: "relay_denied", code: "7\\.(54|64)" },
  {
    reason: "expired",
    words: [
      "(message|delivery|queue|queued|mail)\\b.{0,40}(expired|timed? ?out)",
      "giving up|gave up|(too long|long time) in (the )?queue|in the queue too long|been in (the )?queue",
      "(unable|not able|not|could not be) (to )?deliver(ed)? .{0,40}(after|for|within|in) .{0,30}(days?|hours?|retries|attempts)",
      "could not be delivered for|retry (timeout|time)|maximum (time|retries)|too many (retries|attempts)|last(ed)? retry|not been collected"
    ]
  },
  {
    reason: "network",
    words: [
      "connection (timed out|refused|reset|dropped|was dropped|lost|closed|failed|died)|timed out|time-?out",
      "no route to host|network (is )?unreachable|host (is )?(unreachable|down|not reachable)|did not respond|no answer from|not responding",
      "(could not|couldn't|unable to|cannot|can't) (connect|contact|reach|establish|resolve|send)",
      "name ?server|name service|host name lookup|dns (lookup|error|failure|query)|host not found, try again|domain lookup",
      "too many hops|hop count|mail loop|looping|routing loop|forwarding loop|loops? back",
      "lost connection|conversation .{0,60}timed|tls (handshake|negotiation|required|is required)|starttls"
    ]
  },
  { reason: "host_unknown", code: "4\\.4" },
  { reason: "expired", code: "4\\.(7|316)" },
  { reason: "network", code: "4\\.\\d+" },
  { reason: "content", code: "6\\.\\d+" },
  { reason: "greylisted", smtpCode: 451, code: "7\\.1", words: ["try (it )?again later"] },
  { reason: "policy", code: "7\\.\\d+" },
  { reason: "system", code: "3\\.\\d+|2\\.4" },
  {
    reason: "system",
    words: [
      "(system|server|local|internal|configuration|mailer|software|lookup|protocol|database|processing) (is )?(error|misconfigured|full|busy|failure)",
      "service (is )?(currently |temporarily )?(not available|unavailable)|resources|temporar(y|ily) (local |lookup )?(problem|failure|error|unavailable|deferred|rejected)",
      "command (failed|died|output|line usage)|procmail|maildrop|deliver(y)? agent|pipe to|\\bexit(ed)? (code|status)|exit \\d|x-unix",
      "can't create|no mdb|queue file|i/o error|permission denied|out of memory|try (again )?later"
    ]
  },
  { reason: "mailbox_full", smtpCode: 552 }
]

const maxTextLength = 2_000

/** A URL, of which only the name of a blocklist counts: its path can have any words. */
const url = /https?:\/\/(?:[^\s/]*?(spamhaus|spamcop|barracudacentral|sorbs|abuseat|senderscore|proofpoint\.com))?\S*/g

const address = /[^\s<>()[\],;:"'=]{1,64}@[a-z0-9.-]{1,255}/g

/** The text in lower case on one line without URLs, and with each address written `@`: both can contain any word. */
const wordsOf = (text: string): string =>
  text
    .slice(0, maxTextLength)
    .toLowerCase()
    .replace(/[’`´]/g, "'")
    .replace(/\s+/g, " ")
    .replace(url, "$1")
    .replace(address, "@")

interface CompiledRule {
  readonly reason: FailureReason
  readonly matches: (codes: { readonly detail: string; readonly smtpCode: number | null }, words: string) => boolean
}

const rules: ReadonlyArray<CompiledRule> = table.map(({ code, reason, smtpCode, words }) => {
  const detail = code === undefined ? undefined : new RegExp(`^(?:${code})$`)
  const anyOf = words === undefined ? undefined : new RegExp(words.join("|"))
  return {
    reason,
    matches: (codes, text) =>
      (detail === undefined || detail.test(codes.detail)) &&
      (smtpCode === undefined || smtpCode === codes.smtpCode) &&
      (anyOf === undefined || anyOf.test(text))
  }
})

/** The reason that codes and words give together; `unknown` where they are not clear. */
export const classifyFailure = ({ enhancedCode, smtpCode, text }: FailureText): FailureReason => {
  const codes = { detail: enhancedCode?.slice(2) ?? "", smtpCode }
  const words = wordsOf(text)
  return rules.find(({ matches }) => matches(codes, words))?.reason ?? "unknown"
}

/** The reason of an SMTP reply. */
export const reasonOfReply = ({
  response = "",
  smtpCode = null
}: {
  readonly smtpCode?: number | null | undefined
  readonly response?: string | undefined
}): FailureReason => classifyFailure({ smtpCode, enhancedCode: codesIn(response).enhancedCode, text: response })

const aboutAddress: ReadonlySet<FailureReason> = new Set(["user_unknown", "host_unknown", "moved", "user_disabled"])

/** Whether a permanent failure for this reason means that no mail can reach the address: a hard bounce. */
export const isAboutAddress = (reason: FailureReason): boolean => aboutAddress.has(reason)

/** Whether a failure for this reason is about a recipient, not about the message or its sender. */
export const isAboutRecipient = (reason: FailureReason): boolean =>
  isAboutAddress(reason) || reason === "mailbox_full" || reason === "greylisted"
