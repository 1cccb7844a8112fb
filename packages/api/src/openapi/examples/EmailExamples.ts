const at = "2026-11-20T09:30:00.000Z"

const pending = {
  id: "01a1fc1d-e2a0-7029-814e-d493ca640e51",
  organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  domainId: "01a1fc1d-e2a0-7029-814e-d493ca640e3d",
  email: "orders@example.com",
  name: "Example Orders",
  replyTo: "help@example.com",
  verificationToken: "5b2f0d7a-6a59-4c0e-9d6f-1c2f8a3b7e41",
  verificationStatus: "pending",
  isDefault: false,
  isActive: true,
  reputation: 100,
  createdAt: at,
  updatedAt: at
}

const { verificationToken: _, ...rest } = pending
const verifiedSender = { ...rest, verificationStatus: "verified", verifiedAt: "2026-11-20T09:42:10.000Z" }

/** Examples by operation id. */
export const senderExamples = {
  "senders.list": {
    response: { items: [verifiedSender], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "senders.create": {
    request: { email: pending.email, name: pending.name, replyTo: pending.replyTo },
    response: pending
  },
  "senders.verification": {
    response: { id: pending.id, verificationStatus: "verified", verifiedAt: verifiedSender.verifiedAt }
  },
  "senders.remove": { response: { success: true } },
  "senderConfirmations.look": { response: "<!doctype html>…" },
  "senderConfirmations.confirm": { response: "<!doctype html>…" }
}

const name = "example.com"
const token = "5f0c2b9e71d84a3692bd1815c0ffee42"
const publicKeys = ["MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA1…", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2…"]
const [first = "", second = ""] = publicKeys

const record = (type: string, of: string, value: string, description: string, priority?: number) => ({
  type,
  name: of,
  value,
  ttl: "3600",
  description,
  ...(priority === undefined ? {} : { priority })
})

const domain = {
  id: "01a1fc1e-0f1a-7c52-9d0e-6a8f5b2c3d41",
  domain: name,
  status: "pending",
  dnsRecords: [
    record("TXT", `_switchboard.${name}`, `switchboard-verification=${token}`, "Proves that the domain is yours"),
    record("TXT", `sm1._domainkey.${name}`, `v=DKIM1; k=rsa; p=${first}`, "DKIM: the key that signs your mail"),
    record(
      "TXT",
      `sm2._domainkey.${name}`,
      `v=DKIM1; k=rsa; p=${second}`,
      "DKIM: the key that signs after the next rotation"
    ),
    record("MX", `bounce.${name}`, "mail.example.net", "Return path: brings back what could not be delivered", 10),
    record("TXT", `bounce.${name}`, "v=spf1 a:mail.example.net ~all", "Return path: says who may send for it (SPF)"),
    record(
      "TXT",
      `_dmarc.${name}`,
      `v=DMARC1; p=none; rua=mailto:reports@bounce.${name}`,
      "Advised, not required: what receivers do with mail that only claims to be yours, and where they report it (DMARC)"
    )
  ],
  dkimTokens: publicKeys,
  verificationToken: token,
  trackOpens: false,
  trackClicks: false,
  createdAt: at,
  updatedAt: at
}

const verified = { ...domain, status: "verified", verifiedAt: "2026-11-20T09:42:10.000Z" }

/** The records after a lookup that found the named ones. */
const recordsFound = (isFound: (name: string) => boolean) =>
  domain.dnsRecords.map(({ name: of, priority, type, value }) => {
    const expected = priority === undefined ? value : `${priority} ${value}`
    const ok = isFound(of)
    return { type, name: of, expected, found: ok ? [expected] : [], ok, state: ok ? "ok" : "missing" }
  })

const report = {
  id: domain.id,
  domain: name,
  status: "pending",
  checkedAt: at,
  records: recordsFound((of) => !of.startsWith("sm2"))
}

/** The error of an operation with a DNS look-up. */
const errors = {
  ExternalServiceError: {
    _tag: "ExternalServiceError",
    provider: "dns",
    message: "No name server answered for TXT _switchboard.example.com (ESERVFAIL)"
  }
}

/** Examples by operation id. */
export const domainExamples = {
  "domains.list": {
    response: { items: [verified], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } }
  },
  "domains.create": { request: { domain: name }, response: domain },
  "domains.verify": {
    request: { domain: name },
    response: { success: true, records: recordsFound(() => true) },
    errors
  },
  "domains.checkVerification": { request: { domain: name }, response: report, errors },
  "domains.detectRegistrar": {
    response: {
      domain: name,
      zone: name,
      nameservers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
      provider: "Cloudflare",
      guideUrl: "https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/"
    },
    errors
  },
  "domains.get": { response: verified },
  "domains.status": { response: report, errors },
  "domains.pause": { response: { ...verified, pause: { reason: "manual", pausedAt: at } } },
  "domains.resume": { response: verified },
  "domains.update": {
    request: { trackClicks: true, trackingDomain: `links.${name}` },
    response: {
      ...verified,
      dnsRecords: [
        ...domain.dnsRecords,
        record("CNAME", `links.${name}`, "switchboard.example.net", "Leads the links of tracked mail here")
      ],
      trackClicks: true,
      trackingDomain: `links.${name}`
    }
  },
  "domains.reports": {
    response: {
      domain: name,
      startDate: "2026-10-21T09:30:00.000Z",
      endDate: at,
      dmarc: {
        reports: 2,
        total: 125,
        passed: 123,
        failed: 2,
        passRate: 0.984,
        sources: [
          {
            ip: "203.0.113.9",
            total: 2,
            passed: 0,
            failed: 2,
            dkimPassed: 0,
            spfPassed: 0,
            dispositions: { none: 0, quarantine: 2, reject: 0 },
            headerFrom: [name],
            reporters: ["google.com"],
            lastSeenAt: "2026-11-18T23:59:59.000Z"
          },
          {
            ip: "192.0.2.10",
            total: 123,
            passed: 123,
            failed: 0,
            dkimPassed: 123,
            spfPassed: 120,
            dispositions: { none: 123, quarantine: 0, reject: 0 },
            headerFrom: [name],
            reporters: ["Outlook.com", "google.com"],
            lastSeenAt: "2026-11-18T23:59:59.000Z"
          }
        ],
        reporters: [
          { name: "google.com", reports: 1, total: 102, failed: 2 },
          { name: "Outlook.com", reports: 1, total: 23, failed: 0 }
        ],
        truncated: false
      },
      tls: {
        reports: 1,
        total: 40,
        successful: 38,
        failed: 2,
        successRate: 0.95,
        failures: [
          {
            type: "certificate-expired",
            policyType: "sts",
            receivingHost: "mail.example.net",
            count: 2,
            lastSeenAt: "2026-11-18T23:59:59.000Z"
          }
        ],
        reporters: [{ name: "Google Inc.", reports: 1, total: 40, failed: 2 }],
        truncated: false
      }
    }
  },
  "domains.remove": { response: { success: true } },
  "domains.rotateDkim": { response: verified, errors }
}
