import { useState } from "preact/hooks"
import { Button, OpenForm } from "../components/Actions.js"
import { Dialog } from "../components/Dialog.js"
import { Identifier } from "../components/Facts.js"
import { AccountField, FactorCodeField, passwordOf, requiredText } from "../components/Fields.js"
import { IconButton } from "../components/Icon.js"
import { Pending } from "../components/Notices.js"
import { useLoad } from "../components/View.js"
import { client } from "./Client.js"
import { readSession } from "./Session.js"

type Step =
  | { readonly _tag: "Begin" }
  | { readonly _tag: "Confirm"; readonly secret: string; readonly uri: string }
  | { readonly _tag: "Recovery"; readonly codes: ReadonlyArray<string> }
  | { readonly _tag: "Remove" }

const loadQrCode = async () => (await import("../components/QrCode.js")).QrCode

/** The QR code of the key, which authenticator apps scan. Its code is loaded when it is first shown. */
const KeyQrCode = ({ uri }: { readonly uri: string }) => {
  const { error, reload, value: QrCode } = useLoad(loadQrCode, [])
  return QrCode === undefined ? (
    <Pending error={error} reload={reload} />
  ) : (
    <QrCode label="QR code of the key" text={uri} />
  )
}

/** The button and the forms that add or remove the second factor of the session's user. */
export const SecondFactor = ({ hasTotp }: { readonly hasTotp: boolean }) => {
  const [step, setStep] = useState<Step | undefined>(undefined)
  /** Closes a form, unless its submission has opened the next one. */
  const closeOf = (closed: Step) => () => setStep((now) => (now === closed ? undefined : now))

  const begin = async (form: FormData) => {
    const { secret, uri } = await client.sessions.beginTotp({ payload: { password: passwordOf(form, "password") } })
    setStep({ _tag: "Confirm", secret, uri })
  }
  const confirm = async (form: FormData) => {
    const { recoveryCodes } = await client.sessions.confirmTotp({ payload: { code: requiredText(form, "code") } })
    setStep({ _tag: "Recovery", codes: recoveryCodes })
    await readSession()
  }
  const remove = async (form: FormData) => {
    await client.sessions.removeTotp({
      payload: { password: passwordOf(form, "password"), code: requiredText(form, "code") }
    })
    await readSession()
  }
  return (
    <>
      <IconButton
        icon="shield"
        label={hasTotp ? "Remove the second factor" : "Add a second factor"}
        press={() => setStep({ _tag: hasTotp ? "Remove" : "Begin" })}
      />
      {step?._tag === "Begin" && (
        <OpenForm title="Add a second factor" submitLabel="Continue" submit={begin} onClose={closeOf(step)}>
          <p>Log-ins then need a code of an authenticator app, too.</p>
          <AccountField label="Current password" name="password" autocomplete="current-password" />
        </OpenForm>
      )}
      {step?._tag === "Confirm" && (
        <OpenForm title="Confirm the second factor" submitLabel="Confirm" submit={confirm} onClose={closeOf(step)}>
          <p>
            Scan the QR code with your authenticator app, or enter the key in it. Then enter the code that the app
            shows. Your sessions in other browsers end.
          </p>
          <KeyQrCode uri={step.uri} />
          <Identifier value={step.secret} label="key" />
          <a class="button" href={step.uri}>
            Open the app on this device
          </a>
          <AccountField label="Code" name="code" autocomplete="one-time-code" />
        </OpenForm>
      )}
      {step?._tag === "Recovery" && (
        <Dialog title="Recovery codes" onClose={closeOf(step)}>
          <p>Each code replaces the app once. They are not shown again.</p>
          <Identifier value={step.codes.join(" ")} label="codes" />
          <div class="form-actions">
            <Button label="Done" kind="primary" press={closeOf(step)} />
          </div>
        </Dialog>
      )}
      {step?._tag === "Remove" && (
        <OpenForm
          title="Remove the second factor"
          submitLabel="Remove"
          isDanger
          submit={remove}
          done="The second factor is removed"
          onClose={closeOf(step)}
        >
          <AccountField label="Current password" name="password" autocomplete="current-password" />
          <FactorCodeField />
        </OpenForm>
      )}
    </>
  )
}
