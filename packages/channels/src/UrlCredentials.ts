const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    // A password may contain an unescaped percent sign.
    return part
  }
}

/** The user and password of a URL, percent-decoded. */
export const urlCredentials = ({ password, username }: URL): { readonly user: string; readonly pass: string } => ({
  user: decoded(username),
  pass: decoded(password)
})
