import type { SessionDetails } from "../app/Types.js"

export type SubmissionAddress = NonNullable<SessionDetails["submission"]>

/** How a program connects. */
interface Connection {
  readonly host: string
  readonly port: number
  readonly tls: "implicit" | "startTls" | "none"
}

/** The connection of programs: with implicit TLS, which RFC 8314 prefers, if the service has a port for it. */
export const connectionOf = ({ host, port, startTls, tlsPort }: SubmissionAddress): Connection | undefined => {
  if (tlsPort !== undefined) return { host, port: tlsPort, tls: "implicit" }
  return port === undefined ? undefined : { host, port, tls: startTls ? "startTls" : "none" }
}

interface Program {
  readonly name: string
  readonly label: string
  /** The lines to paste. They require TLS if the service has it and the program can require it. */
  readonly lines: (connection: Connection) => string
}

/** The settings of programs; `docs/submission.md` has the same lines for the default port. */
export const programs: ReadonlyArray<Program> = [
  {
    name: "nodemailer",
    label: "Nodemailer",
    lines: ({ host, port, tls }) => {
      const security = { implicit: "secure: true, ", startTls: "requireTLS: true, ", none: "" }[tls]
      return `createTransport({ host: "${host}", port: ${port}, ${security}auth: { user: "any", pass: process.env.SWITCHBOARD_API_KEY } })`
    }
  },
  {
    name: "django",
    label: "Django",
    lines: ({ host, port, tls }) => {
      const security = { implicit: "EMAIL_USE_SSL = True\n", startTls: "EMAIL_USE_TLS = True\n", none: "" }[tls]
      return `EMAIL_HOST, EMAIL_PORT = "${host}", ${port}
${security}EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = "any", os.environ["SWITCHBOARD_API_KEY"]`
    }
  },
  {
    name: "rails",
    label: "Rails",
    lines: ({ host, port, tls }) => {
      const security = { implicit: "tls: true, ", startTls: "enable_starttls: true, ", none: "" }[tls]
      return `config.action_mailer.smtp_settings = {
  address: "${host}", port: ${port}, ${security}user_name: "any", password: ENV["SWITCHBOARD_API_KEY"], authentication: :plain
}`
    }
  },
  {
    name: "laravel",
    label: "Laravel",
    // Laravel uses STARTTLS if the server offers it; it has no variable to require it.
    lines: ({ host, port, tls }) => `MAIL_MAILER=smtp
${tls === "implicit" ? "MAIL_SCHEME=smtps\n" : ""}MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=any
MAIL_PASSWORD=your-api-key`
  },
  {
    name: "wordpress",
    label: "WordPress",
    lines: ({ host, port, tls }) => {
      const security = { implicit: "ssl", startTls: "tls", none: undefined }[tls]
      return `add_action( 'phpmailer_init', function ( $mailer ) {
  $mailer->isSMTP();
  $mailer->Host = '${host}';
  $mailer->Port = ${port};
${security === undefined ? "" : `  $mailer->SMTPSecure = '${security}';\n`}  $mailer->SMTPAuth = true;
  $mailer->Username = 'any';
  $mailer->Password = getenv( 'SWITCHBOARD_API_KEY' );
} );`
    }
  }
]
