import type { FieldsBySchema } from "./CommonFields.js"

const rateBase = "Rates are 0 to 1, and 0 without data."
const tracking = {
  trackClicks:
    "Whether clicks are tracked in mail from the domain whose send does not say. Default: false. An extension.",
  trackOpens:
    "Whether opens are tracked in mail from the domain whose send does not say. Default: false. An extension.",
  trackingDomain:
    "Host of the links in tracked mail: a CNAME of the service's host, and of no other use. Default: the service's host. An extension."
}
const addressForms = "Complete addresses, or only local parts (before the `@`)."

/** Fields of e-mails, blocks, domains, receiving, forwarding, senders, templates and threads. */
export const emailFields: FieldsBySchema = {
  Block: {
    category: "Category that is blocked, if `scope` is `category`.",
    expiresAt: "Time when the block ends (UTC). Absent: never.",
    hitCount: "Number of recipients that were skipped because of the block.",
    lastHitAt: "Time when a recipient was last skipped (UTC).",
    reason: "Reason of the block.",
    scope: "`all`: no mail is sent. `category`: no mail of `category` is sent.",
    source: "Origin: `system` (bounce or complaint), `api` (request), `recipient` (unsubscribe link).",
    sourceMessageId: "Id of the message that caused the block.",
    type: "`email`: one address. `domain`: all addresses of one domain, without subdomains.",
    value: "Address or domain that is blocked."
  },
  CreateBlock: {
    category: "Category to block, 1 to 100 characters. Default: all mail. An extension.",
    domain: "Domain to block. Either this or `email`.",
    email: "Address to block. Either this or `domain`.",
    expiresAt: "Time when the block ends: ISO 8601 date-time with a time zone. Default: never.",
    reason: "Reason of the block. Default: `manual`."
  },
  UpdateBlock: { expiresAt: "Time when the block ends: ISO 8601 date-time with a time zone. Null: never." },
  BlockCheck: {
    block: "First of `blocks`.",
    blocked: "Whether mail to the address is blocked.",
    blocks: "Blocks in force: of the address before its domain, on all mail before categories."
  },
  BlockLog: {
    action: "`blocked`: a recipient was skipped. `added`, `updated`, `removed`: the block changed.",
    blockId: "Id of the block. The block may have been removed.",
    category: "Category of the block.",
    email: "Recipient that was skipped, or address or domain of the block."
  },
  BlockImport: {
    added: "Number of blocks that were added.",
    existing: "Number of lines whose address or domain already had a block in the same scope.",
    refused: "Number of invalid lines.",
    refusedLines: "First 1000 invalid lines."
  },
  RefusedBlockLine: {
    fields: "Errors of the line, by column.",
    line: "Number of the line in the file, from 1. For a cell over several lines: the last of them."
  },
  EmailDomain: {
    dkimTokens: "Public DKIM keys (base64) of the selectors sm1 and sm2, in this order.",
    dnsRecords: "DNS records to publish.",
    domain: "Name of the domain.",
    pause: "Pause of mail from the domain. Absent: its mail is sent. An extension.",
    status:
      "`pending`: the records are missing. `verified`: it can send. `degraded`: a check failed, it can send for 72 hours. `failed`: it cannot send.",
    trackClicks: "Default of `trackClicks` for mail from the domain. An extension.",
    trackOpens: "Default of `trackOpens` for mail from the domain. An extension.",
    trackingDomain: "Host of the links in tracked mail, used once its CNAME record is found. An extension.",
    verificationToken: "Token in the TXT record that proves ownership.",
    verifiedAt: "Time of verification (UTC)."
  },
  DomainPause: {
    bound: "Rate from which the domain is paused, 0 to 1. Absent with `manual`.",
    messages: "Messages that the rate is of: sent in 24 hours, and since the last pause. Absent with `manual`.",
    pausedAt: "Time when the pause began (UTC).",
    rate: "Share of the messages that bounced or had a complaint, 0 to 1. Absent with `manual`.",
    reason: "`bounces` or `complaints`: the rate reached its bound. `manual`: a request paused the domain."
  },
  DnsRecord: {
    description: "Purpose of the record.",
    name: "Name of the record.",
    priority: "Preference of an MX record.",
    ttl: "Time to live, in seconds.",
    type: "Type of the record, for example `TXT`.",
    value: "Value of the record."
  },
  CreateEmailDomain: {
    domain: "Name of the domain. An internationalized name consists of A-labels (RFC 5890).",
    ...tracking
  },
  UpdateEmailDomain: tracking,
  NamedEmailDomain: { domain: "Name of a domain of the organization." },
  DomainReport: {
    checkedAt: "Time of the DNS lookup (UTC) (an extension).",
    domain: "Name of the domain.",
    id: "Id of the domain.",
    records: "Expected records, with the result of a DNS lookup.",
    status: "Stored status of the domain.",
    verifiedAt: "Time of verification (UTC)."
  },
  RecordReport: {
    expected: "Expected value.",
    found: "Values in the DNS.",
    name: "Name of the record.",
    ok: "Whether the expected value was found.",
    state:
      "`ok`: the expected value was found. `missing`: there is no value. `differs`: there are other values (an extension).",
    type: "Type of the record, for example `TXT`."
  },
  DomainVerified: {
    records: "Expected records, with the result of the DNS lookup (an extension).",
    success: "Whether ownership, DKIM and return path were found."
  },
  DetectedRegistrar: {
    domain: "Name of the domain.",
    guideUrl: "Guide of the DNS provider for adding records.",
    nameservers: "Name servers of the domain.",
    provider: "DNS provider. Absent: not recognized.",
    zone: "Name that has the name servers: the domain or a parent. Absent: none found (an extension)."
  },
  EnableReceiving: {
    addresses: `Addresses that receive mail, at most 1000. ${addressForms} Default: none.`,
    catchAll: "Whether all other addresses receive mail too. Default: false.",
    domain: "Name of a verified domain."
  },
  ReceivingEnabled: {
    recipients: "Addresses that receive mail. `*@` and the domain: all.",
    ruleName: "`inbound-` and the name of the domain."
  },
  CatchAllConfig: {
    domain: "Name of a domain of the organization.",
    enabled: "Whether the catch-all is on.",
    exclude: `Addresses that the catch-all rejects. ${addressForms}`,
    forwardTo: "Addresses that a copy of each mail is forwarded to, at most 20."
  },
  CatchAllStats: {
    domain: "Name of the domain.",
    forwarded: "Number of mails that were forwarded to at least one address.",
    last24Hours: "Number of mails received in the last 24 full hours.",
    last30Days: "Number of mails received in the last 30 days.",
    received: "Number of mails received by the catch-all.",
    rejected: "Number of recipients rejected by `exclude`."
  },
  ForwardingRule: {
    forwardTo: "Addresses that mail is forwarded to, 1 to 20.",
    isActive: "Whether the rule applies.",
    keepCopy: "Whether the mail is also received.",
    lastMatchedAt: "Time when the rule last matched (UTC).",
    match: "Conditions. All must hold; upper and lower case are equal.",
    matchCount: "Number of mails that the rule matched.",
    priority: "Order of the rules: the lowest number is tried first, 0 to 1000000.",
    recipient: "Recipient: an address, or `*@` and a domain.",
    rewriteFrom: "Whether `From` is rewritten if the sender's DMARC policy is `quarantine` or `reject`. An extension.",
    sender: "Address in the header `From`: an address, or `*@` and a domain.",
    subjectContains: "Part of the subject."
  },
  CreateForwardingRule: {
    isActive: "Whether the rule applies. Default: true.",
    keepCopy: "Whether the mail is also received. Default: true.",
    priority: "Order of the rules: the lowest number is tried first, 0 to 1000000. Default: 100.",
    rewriteFrom:
      "Whether `From` is rewritten if the sender's DMARC policy is `quarantine` or `reject`. Default: false. An extension."
  },
  ForwardingLog: {
    error: "Error of a failed forwarding.",
    forwardedTo: "Address that the mail was forwarded to.",
    messageId: "Id of the message, or of the mail if no copy was kept.",
    ruleId: "Id of the rule. Absent: forwarded by a catch-all.",
    status:
      "`forwarded`: the relay took it. `failed`: rejected, blocked or returned. `loop_blocked`: a loop was detected."
  },
  EmailSender: {
    domainId: "Id of the sender's domain.",
    email: "Address of the sender.",
    isActive: "Whether the sender can be used.",
    isDefault: "Whether it is the organization's default sender.",
    name: "Display name in the header `From`.",
    replyTo: "Address for replies, if a send names none.",
    reputation: "0 to 100: 100 less 10 per percent of bounces and 100 per percent of complaints, over 30 days.",
    verificationStatus:
      "`pending`: the address is not confirmed yet. `verified`: it can send. `failed`: it cannot send.",
    verificationToken: "Id of the confirmation mail. Shown only with the permission `domains.write`.",
    verifiedAt: "Time of verification (UTC)."
  },
  CreateEmailSender: {
    email: "Address to send from, on a domain of the organization.",
    isDefault: "Whether it becomes the default sender once it is verified. Default: false.",
    name: "Display name in the header `From`, 1 to 200 characters.",
    replyTo: "Address for replies, if a send names none. Default: none."
  },
  Template: {
    channel: "Channel of the messages: only sends of this channel take the template. An extension.",
    html: "HTML part of an e-mail (Mustache).",
    name: "Name, unique within the organization.",
    subject: "Subject line of an e-mail (Mustache).",
    text: "Plain-text part (Mustache).",
    variables: "Variables that the parts contain.",
    version: "Version, from 1. Each change increments it."
  },
  CreateTemplate: {
    channel: "Channel of the messages. It can't be changed. Default: `email`. An extension.",
    name: "Name, unique within the organization, 1 to 200 characters.",
    text: "Plain-text part (Mustache). Default for an e-mail: made from the HTML part. Required for other channels.",
    variables: "Fallback values of variables (an extension). Default: none."
  },
  UpdateTemplate: { variables: "Fallback values of variables. They replace all earlier ones." },
  TemplateVariable: {
    fallback: "Value if the data has none.",
    name: "Name of the variable.",
    required: "Whether a send must supply it: it is outside sections and has no fallback."
  },
  RenderTemplate: {
    data: "Values for the variables of the template, by name. Default: none.",
    html: "HTML to render in place of that of the template.",
    subject: "Subject to render in place of that of the template.",
    text: "Text to render in place of that of the template. `null`: made from the HTML.",
    variables: "Fallbacks in place of those of the template. `null`: none."
  },
  RenderedTemplate: {
    html: "HTML part of an e-mail.",
    subject: "Subject line of an e-mail.",
    missing: "Required variables that the data lacks. A send would be rejected for them."
  },
  EmailSendRequest: {
    attachments: "Attached files: at most 20, 25 MiB in total. Default: none.",
    from: "Author: an address, with or without a display name. Default: the organization's default sender (an extension).",
    html: "HTML part. Default: made from `text`, escaped, with its line breaks (an extension).",
    idempotencyKey:
      "Key that makes a repeated send return the first message, 1 to 255 characters. Stored for 30 days. Default: the header `Idempotency-Key`.",
    inReplyToMessageId: "Id of the message that this one replies to. Default: none.",
    subject: "Subject line, 1 to 200 characters. Required without `templateId`.",
    templateId: "Id of a template that supplies the parts not given here. Default: none.",
    text: "Plain-text part. Default: made from the HTML part.",
    to: "One address or a list of addresses, at most 50. An object with `email` and `name` adds a display name (an extension)."
  },
  Thread: {
    conversationId: "Id of the conversation of the thread.",
    firstMessageAt: "Time of the first message (UTC).",
    hasAttachments: "Whether any message has attachments.",
    lastMessageAt: "Time of the last message (UTC).",
    lastMessageDirection: "Direction of the last message.",
    messageCount: "Number of messages.",
    participants: "Authors and recipients of the messages, by id.",
    status: "Status of the conversation. `waiting` and `snoozed` are shown as `active`.",
    subject: "Subject of the thread, without prefixes such as `Re:`.",
    unreadCount: "Number of messages received since the thread was last marked as read."
  },
  ThreadCounts: {
    activeThreads: "Number of active threads.",
    archivedThreads: "Number of archived threads.",
    resolvedThreads: "Number of resolved threads.",
    threadsLast30Days: "Number of threads that began in the last 30 days.",
    threadsLast7Days: "Number of threads that began in the last 7 days.",
    totalThreads: "Number of all threads."
  },
  EmailRecord: {
    attachments: "Attached files, with download links.",
    authentication: "Results of SPF, DKIM and DMARC for received mail.",
    bcc: "Addresses of the blind copies.",
    cc: "Addresses of the copies.",
    deliveredAt: "Time of delivery to the first recipient's mailbox (UTC).",
    from: "Author: an address, with or without a display name.",
    headers:
      "All headers of received mail, or the additional headers of sent mail. Repeated headers are joined by line breaks.",
    html: "HTML part. That of received mail is not sanitized.",
    id: "Id of the message.",
    messageId: "Header `Message-ID` (RFC 5322). Empty: none.",
    replyTo: "Addresses for replies.",
    sentAt: "Time when the provider first took the message (UTC).",
    size: "Size in bytes: of received mail as received, of sent mail before encoding.",
    threadId: "Id of the e-mail thread.",
    to: "Addresses of the recipients."
  },
  EmailAttachment: {
    contentId: "Id by which the HTML refers to the file, as `cid:` and this id.",
    id: "Id of the attachment.",
    url: "Download link, valid for 15 minutes. It needs no key."
  },
  MessageAttachments: {
    items: "Files in the order of the message."
  },
  MailAuthentication: {
    dkim: "Result of DKIM (RFC 6376), for example `pass`.",
    dmarc: "Result of DMARC (RFC 7489), for example `pass`.",
    spf: "Result of SPF (RFC 7208), for example `pass`."
  },
  EmailStats: {
    bounceRate: `Bounced messages divided by messages sent or rejected. ${rateBase}`,
    complaintRate: `Messages with a complaint divided by messages sent or rejected. ${rateBase}`,
    deliveryRate: `Delivered messages divided by messages sent or rejected. ${rateBase}`,
    clickRate: `Messages with a click divided by messages sent or rejected. ${rateBase}`,
    readRate: `Opened messages divided by messages sent or rejected. ${rateBase}`,
    totalBounced: "Number of messages that bounced.",
    totalClicked: "Number of messages with a click on a tracked link.",
    totalComplained: "Number of messages with a complaint.",
    totalDelivered: "Number of messages that were delivered.",
    totalFailed: "Number of messages that failed.",
    totalRead: "Number of messages that were opened.",
    totalReceived: "Number of messages that were received.",
    totalSent: "Number of messages that were sent."
  }
}
