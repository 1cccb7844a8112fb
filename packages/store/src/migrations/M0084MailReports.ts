/** DMARC and TLS reports about domains. */
export const M0084MailReports = /* sql */ `
CREATE TABLE mail_reports (
  organization_id uuid NOT NULL, id uuid NOT NULL, domain_id uuid NOT NULL, kind text NOT NULL, reporter text NOT NULL,
  report_id text NOT NULL, policy text NOT NULL, begins_at timestamptz NOT NULL, ends_at timestamptz NOT NULL,
  total bigint NOT NULL, passed bigint NOT NULL, received_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT mail_reports_domain_fkey
    FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX mail_reports_report_key
  ON mail_reports (organization_id, domain_id, kind, reporter, report_id);
CREATE INDEX mail_reports_period ON mail_reports (organization_id, domain_id, begins_at);
CREATE INDEX mail_reports_expiry ON mail_reports (received_at);
CREATE TABLE mail_report_sources (
  organization_id uuid NOT NULL, report_id uuid NOT NULL, ip inet NOT NULL, header_from text NOT NULL,
  disposition text NOT NULL, dkim boolean NOT NULL, spf boolean NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (organization_id, report_id, ip, header_from, disposition, dkim, spf),
  CONSTRAINT mail_report_sources_report_fkey
    FOREIGN KEY (organization_id, report_id) REFERENCES mail_reports (organization_id, id) ON DELETE CASCADE
);
CREATE TABLE mail_report_failures (
  organization_id uuid NOT NULL, report_id uuid NOT NULL, type text NOT NULL, policy_type text NOT NULL,
  receiving_host text NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (organization_id, report_id, type, policy_type, receiving_host),
  CONSTRAINT mail_report_failures_report_fkey
    FOREIGN KEY (organization_id, report_id) REFERENCES mail_reports (organization_id, id) ON DELETE CASCADE
);
`
