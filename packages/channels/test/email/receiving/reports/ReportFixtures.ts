import { gzipSync } from "node:zlib"
import { zipSync } from "fflate"

/** A row of a generated report. */
export interface MadeRow {
  readonly ip: string
  readonly count: number
  readonly disposition: string
  readonly dkim: string
  readonly spf: string
  readonly headerFrom?: string
}

/** The header of a generated report. Times are in seconds. */
export interface MadeReport {
  readonly reporter?: string
  readonly reportId?: string
  readonly domain?: string
  readonly begin?: number
  readonly end?: number
}

const rowXml = ({ count, disposition, dkim, headerFrom = "example.com", ip, spf }: MadeRow) => `  <record>
    <row>
      <source_ip>${ip}</source_ip>
      <count>${count}</count>
      <policy_evaluated>
        <disposition>${disposition}</disposition>
        <dkim>${dkim}</dkim>
        <spf>${spf}</spf>
      </policy_evaluated>
    </row>
    <identifiers>
      <header_from>${headerFrom}</header_from>
    </identifiers>
    <auth_results>
      <spf><domain>${headerFrom}</domain><result>${spf}</result></spf>
    </auth_results>
  </record>
`

/** A DMARC report in the form of RFC 7489. */
export const dmarcXml = (
  rows: ReadonlyArray<MadeRow>,
  {
    begin = 1_792_454_400,
    domain = "example.com",
    end = begin + 86_399,
    reporter = "google.com",
    reportId = "949348866075514174"
  }: MadeReport = {}
): string => `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>${reporter}</org_name>
    <email>noreply-dmarc-support@${reporter}</email>
    <report_id>${reportId}</report_id>
    <date_range>
      <begin>${begin}</begin>
      <end>${end}</end>
    </date_range>
  </report_metadata>
  <policy_published>
    <domain>${domain}</domain>
    <adkim>r</adkim>
    <aspf>r</aspf>
    <p>quarantine</p>
    <sp>none</sp>
    <pct>100</pct>
  </policy_published>
${rows.map(rowXml).join("")}</feedback>
`

/** The form of Outlook.com: namespaces on the root, a version, the recipient's domain, no newline at the end. */
export const outlookXml = `<?xml version="1.0"?>
<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <version>1.0</version>
  <report_metadata>
    <org_name>Outlook.com</org_name>
    <email>dmarcreport@microsoft.com</email>
    <report_id>aa0f5cc1d1b34a0c9f0a2b6e5d7e8f90</report_id>
    <date_range><begin>1792454400</begin><end>1792540800</end></date_range>
  </report_metadata>
  <policy_published>
    <domain>example.com</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><sp>none</sp><pct>100</pct><fo>0</fo>
  </policy_published>
  <record>
    <row>
      <source_ip>192.0.2.10</source_ip><count>7</count>
      <policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated>
    </row>
    <identifiers>
      <envelope_to>hotmail.com</envelope_to><envelope_from>bounce.example.com</envelope_from>
      <header_from>example.com</header_from>
    </identifiers>
    <auth_results>
      <dkim><domain>example.com</domain><selector>sm1</selector><result>pass</result></dkim>
      <spf><domain>bounce.example.com</domain><scope>mfrom</scope><result>fail</result></spf>
    </auth_results>
  </record>
</feedback>`

/** The form of Yahoo: one line, an extra contact, reasons of overrides, results of several signatures. */
export const yahooXml = `<?xml version="1.0"?><feedback><report_metadata><org_name>Yahoo</org_name><email>dmarchelp@yahooinc.com</email><extra_contact_info>https://example.com/?a=1&amp;b=2</extra_contact_info><report_id>1792500000.123456</report_id><date_range><begin>1792454400</begin><end>1792540799</end></date_range></report_metadata><policy_published><domain>Example.COM</domain><p>reject</p></policy_published><record><row><source_ip>2001:db8::25</source_ip><count>3</count><policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf><reason><type>mailing_list</type><comment></comment></reason></policy_evaluated></row><identifiers><header_from>EXAMPLE.com</header_from></identifiers><auth_results><dkim><domain>list.example.org</domain><result>pass</result></dkim><dkim><domain>example.com</domain><result>fail</result></dkim><spf><domain>list.example.org</domain><result>pass</result></spf></auth_results></record></feedback>`

/** The form of RFC 9990: a namespace, new fields of the policy, and the disposition `pass`. */
export const rfc9990Xml = `<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">
  <version>1.0</version>
  <report_metadata>
    <org_name>Reporter &lt;One&gt;</org_name>
    <email>reports@reporter.example</email>
    <report_id>3v98abbp8ya9n3va8yr8oa3ya</report_id>
    <date_range><begin>1792454400</begin><end>1792540799</end></date_range>
    <generator>Reporter 1.2</generator>
  </report_metadata>
  <policy_published>
    <domain>example.com</domain><p>quarantine</p><sp>none</sp><np>none</np><testing>n</testing>
    <discovery_method>treewalk</discovery_method>
  </policy_published>
  <record>
    <row>
      <source_ip>192.0.2.123</source_ip><count>123</count>
      <policy_evaluated><disposition>pass</disposition><dkim>Pass</dkim><spf>fail</spf></policy_evaluated>
    </row>
    <identifiers><envelope_from>example.com</envelope_from><header_from>example.com</header_from></identifiers>
    <auth_results><dkim><domain>example.com</domain><result>pass</result><selector>abc</selector></dkim></auth_results>
  </record>
</feedback>
`

/** A TLS report (RFC 8460 appendix B) about a domain. */
export const tlsJson = (domain = "example.com", reportId = "5065427c-23d3-47ca-b6e0-946ea0e8c4be") =>
  JSON.stringify({
    "organization-name": "Company-X",
    "date-range": { "start-datetime": "2026-10-20T00:00:00Z", "end-datetime": "2026-10-20T23:59:59Z" },
    "contact-info": "sts-reporting@company-x.example",
    "report-id": reportId,
    policies: [
      {
        policy: {
          "policy-type": "sts",
          "policy-string": ["version: STSv1", "mode: testing", "mx: *.mail.example.com", "max_age: 86400"],
          "policy-domain": domain,
          "mx-host": ["*.mail.example.com"]
        },
        summary: { "total-successful-session-count": 5326, "total-failure-session-count": 303 },
        "failure-details": [
          {
            "result-type": "certificate-expired",
            "sending-mta-ip": "2001:db8:abcd:0012::1",
            "receiving-mx-hostname": "mx1.mail.example.com",
            "failed-session-count": 100
          },
          {
            "result-type": "starttls-not-supported",
            "sending-mta-ip": "2001:db8:abcd:0013::1",
            "receiving-mx-hostname": "mx2.mail.example.com",
            "receiving-ip": "203.0.113.56",
            "failed-session-count": 200
          },
          { "result-type": "sts-policy-fetch-error", "failed-session-count": 2 },
          { "result-type": "sts-policy-fetch-error", "failed-session-count": 1 }
        ]
      },
      {
        policy: { "policy-type": "no-policy-found", "policy-domain": "other.example" },
        summary: { "total-successful-session-count": 9, "total-failure-session-count": 0 }
      }
    ]
  })

export const octetsOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export const gzipped = (text: string): Uint8Array => new Uint8Array(gzipSync(text))

export const zipped = (text: string, name = "google.com!example.com!1792454400!1792540799.xml"): Uint8Array =>
  zipSync({ [name]: octetsOf(text) })
