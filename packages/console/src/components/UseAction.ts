import { useState } from "preact/hooks"

interface ActionState {
  readonly busy: boolean
  readonly error?: unknown
}

/** Runs an action once at a time, with its progress and its error. */
export const useAction = <Args extends ReadonlyArray<unknown>>(action: (...args: Args) => Promise<void>) => {
  const [state, setState] = useState<ActionState>({ busy: false })
  const run = async (...args: Args) => {
    if (state.busy) return
    setState({ busy: true })
    try {
      await action(...args)
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return { ...state, run }
}
