type Props = { tone: 'gold' | 'blue' | 'green' | 'grey'; children: string }

const LOOKS: Record<Props['tone'], string> = {
  gold: 'bg-gold-tint text-gold',
  blue: 'bg-blue-tint text-blue',
  green: 'bg-green-tint text-green',
  grey: 'bg-line text-ink'
}

export function Tag({ tone, children }: Props) {
  return <span className={`tag ${LOOKS[tone]}`}>{children}</span>
}
