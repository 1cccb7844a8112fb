import { useEffect, useState } from "preact/hooks"

/** How long a value must stay the same, in milliseconds. */
const quietTime = 300

/** The value after it has not changed for a moment: for requests while a person types. */
export const useDebounced = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietTime)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
