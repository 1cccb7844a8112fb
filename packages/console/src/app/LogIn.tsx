import { SecondFactorRequiredError } from "@switchboard/client/promise"
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { submitTo, useAction } from "../components/Actions.js"
import { AccountField, FactorCodeField, NewPasswordField, passwordOf, requiredText } from "../components/Fields.js"
import { Brand } from "../components/Icon.js"
import { ErrorNotice } from "../components/Notices.js"
import { useTitle } from "../components/View.js"
import { client, serviceUrl } from "./Client.js"
import { acceptInvitation, logIn, resetPassword, startSession } from "./Session.js"

interface PageProps {
  readonly title: string
  /** The label of the button that submits. */
  readonly submitLabel: string
  /** The form stays with the error if this rejects. */
  readonly submit: (form: FormData) => Promise<unknown>
  readonly reason?: string | undefined
  /** The fields of the form. */
  readonly children: ComponentChildren
  /** Below the button that submits. */
  readonly more: ComponentChildren
}

/** A page without a session: one form. */
const Page = ({ children, more, reason, submit, submitLabel, title }: PageProps) => {
  useTitle(title)
  const { busy, error, run } = useAction(submit)
  const page = useRef<HTMLFormElement>(null)
  const id = useId()
  // The button that showed this form is gone, and the focus with it.
  useEffect(() => page.current?.querySelector("input")?.focus(), [])
  return (
    <main class="alone">
      <form ref={page} class="log-in card" aria-labelledby={id} onSubmit={submitTo(run)}>
        <h1>
          <Brand />
        </h1>
        <h2 id={id}>{title}</h2>
        {reason !== undefined && <p role="status">{reason}</p>}
        {children}
        {error !== undefined && <ErrorNotice error={error} />}
        <button class="button primary" type="submit" disabled={busy}>
          {submitLabel}
        </button>
        {more}
      </form>
    </main>
  )
}

const TextButton = ({ label, press }: { readonly label: string; readonly press: () => void }) => (
  <button type="button" class="link" onClick={press}>
    {label}
  </button>
)

type Form = "password" | "key" | "forgotten"

interface FormProps {
  readonly reason: string | undefined
  readonly show: (form: Form, reason?: string) => void
}

/** The link to the provider of OpenID Connect, if the service has one. */
const ProviderLink = () => {
  const [provider, setProvider] = useState<string | undefined>(undefined)
  useEffect(() => {
    // Without the methods, the other forms still work.
    client.sessions.listMethods().then(
      ({ oidc }) => setProvider(oidc?.name),
      () => undefined
    )
  }, [])
  return provider === undefined ? null : (
    <a class="button" href={`${serviceUrl}/v1/session/oidc`}>
      Log in with {provider}
    </a>
  )
}

const PasswordForm = ({ reason, show }: FormProps) => {
  const [needsCode, setNeedsCode] = useState(false)
  const submit = async (form: FormData) => {
    const code = needsCode ? requiredText(form, "code") : undefined
    try {
      await logIn({ email: requiredText(form, "email"), password: passwordOf(form, "password"), code })
    } catch (error) {
      if (!(error instanceof SecondFactorRequiredError)) throw error
      setNeedsCode(true)
    }
  }
  return (
    <Page
      title="Log in"
      reason={reason}
      submitLabel="Log in"
      submit={submit}
      more={
        <>
          <ProviderLink />
          <TextButton label="Forgot password?" press={() => show("forgotten")} />
          <TextButton label="Log in with an API key" press={() => show("key")} />
        </>
      }
    >
      <AccountField label="E-mail address" name="email" autocomplete="username" />
      <AccountField label="Password" name="password" autocomplete="current-password" />
      {needsCode && <FactorCodeField />}
    </Page>
  )
}

/** The key is sent once and not stored: the session has its own cookie. */
const KeyForm = ({ reason, show }: FormProps) => (
  <Page
    title="Log in with an API key"
    reason={reason}
    submitLabel="Log in"
    submit={(form) => logIn({ apiKey: requiredText(form, "api-key") })}
    more={
      <>
        <TextButton label="Log in with a password" press={() => show("password")} />
        <p class="hint">
          Without the key, on the host of the service: <code>npx switchboard login-link</code> prints a link to this
          page.
        </p>
      </>
    }
  >
    <label class="field">
      <span>API key</span>
      <input type="password" name="api-key" autocomplete="off" spellcheck={false} placeholder="sk_sm_…" required />
    </label>
  </Page>
)

/** What the page says after a request for a new password, also for an address without an account. */
const resetRequested =
  "If the address has an account, a mail with a link was sent to it. The link is valid for 60 minutes."

const ForgottenForm = ({ reason, show }: FormProps) => (
  <Page
    title="Forgot password"
    reason={reason}
    submitLabel="Send a link"
    submit={async (form) => {
      await client.users.requestReset({ payload: { email: requiredText(form, "email") } })
      show("password", resetRequested)
    }}
    more={<TextButton label="Back to the log-in" press={() => show("password")} />}
  >
    <p>A link to set a new password is sent to the address of your account.</p>
    <AccountField label="E-mail address" name="email" autocomplete="username" />
  </Page>
)

const forms = { password: PasswordForm, key: KeyForm, forgotten: ForgottenForm } as const

/** The log-in page: with a password, with an API key, or without the password. */
export const LogIn = ({ reason }: { readonly reason: string | undefined }) => {
  const [shown, setShown] = useState<{ readonly form: Form; readonly reason: string | undefined }>({
    form: "password",
    reason
  })
  const Shown = forms[shown.form]
  return <Shown key={shown.form} reason={shown.reason} show={(form, next) => setShown({ form, reason: next })} />
}

const toLogIn = <TextButton label="Go to the log-in" press={() => void startSession()} />

/** The page of an invitation's link. It creates the account and logs in. */
export const AcceptInvitation = ({ token }: { readonly token: string }) => (
  <Page
    title="Accept the invitation"
    submitLabel="Accept the invitation"
    submit={(form) => acceptInvitation(token, requiredText(form, "name"), passwordOf(form, "password"))}
    more={toLogIn}
  >
    <p>Choose your name and your password. You log in with the address that was invited.</p>
    <AccountField label="Name" name="name" autocomplete="name" />
    <NewPasswordField />
  </Page>
)

/** The page of a link that sets a new password. */
export const ResetPassword = ({ token }: { readonly token: string }) => (
  <Page
    title="Set a new password"
    submitLabel="Set the password"
    submit={(form) => resetPassword(token, passwordOf(form, "password"))}
    more={toLogIn}
  >
    <p>Your sessions in all browsers end.</p>
    <NewPasswordField label="New password" />
  </Page>
)
