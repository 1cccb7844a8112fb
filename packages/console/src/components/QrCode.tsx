import { encode } from "uqr"

/** The width of the light border in modules, which readers need (ISO/IEC 18004). */
const border = 4

interface QrCodeProps {
  /** Its text for screen readers. */
  readonly label: string
  readonly text: string
}

/** A QR code of a text: dark modules on a light ground in every colour scheme, since not every reader takes inverted ones. */
export const QrCode = ({ label, text }: QrCodeProps) => {
  const { data, size } = encode(text, { border, boostEcc: true })
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={modules.join("")} />
    </svg>
  )
}
