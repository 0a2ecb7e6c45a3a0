const PATHS = {
  chevron: 'M6 9l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  list: 'M4 6h16M4 12h16M4 18h16',
  download: 'M12 4v11m0 0l-4-4m4 4l4-4M5 20h14',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.700l1-1',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M2 12h2M20 12h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
  moon: 'M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z',
  key: 'M15 4a5 5 0 1 0-4.600 7L5 16.500V20h3.500v-2.500H11V15h2l1.400-1.400A5 5 0 0 0 15 4z',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  box: 'M5 5h14v14H5z',
  polygon: 'M5 9l8-5 7 7-4 9-9-2z',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  terminal: 'M5 7l5 5-5 5M13 17h6',
  refresh: 'M20 11a8 8 0 1 0-2.300 6.700M20 5v6h-6',
  filter: 'M4 5h16l-6.500 8v6l-3-1.500V13z',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  map: 'M9 4L4 6v14l5-2 6 2 5-2V4l-5 2zM9 4v14M15 6v14',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.500 8.500h.01',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  edit: 'M4 20h4L19 9l-4-4L4 16z',
  back: 'M15 5l-7 7 7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  not: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM6.500 6.500l11 11',
  power: 'M12 4v8M7 7a7 7 0 1 0 10 0',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
