import { expect, it } from 'vitest'
import { extentOf, fileOf, readAll } from '../load/read-all.ts'
import { readWithGdal } from './gdal.ts'
import { describeWithReaders } from './readers.ts'

const ARCHIVE = '/vsizip/'

describeWithReaders('GDAL reads the same documents as the loader', () => {
  it.each([
    ['mercator.geojson', 'mercator.geojson'],
    ['lambert.gpkg', 'lambert.gpkg'],
    ['degrees.fgb', 'degrees.fgb'],
    ['utm.fgb', 'utm.fgb'],
    ['placemarks.kml', 'placemarks.kml'],
    ['latin1-shapefile.zip', `${ARCHIVE}latin1-shapefile.zip/data`],
  ])('%s', async (name, source) => {
    const inArchive = source.startsWith(ARCHIVE)
    const file = inArchive ? `${ARCHIVE}${fileOf(source.slice(ARCHIVE.length))}` : fileOf(source)
    const layers = await readWithGdal(file, { longitudeFirst: true })
    const features = layers.find((layer) => layer.name !== 'second')?.features ?? []
    const { documents } = await readAll([fileOf(name)])
    expect(documents).toHaveLength(features.length)
    const points = features.map(({ geometry }) => {
      const [lon = Number.NaN, lat = Number.NaN] = geometry?.type === 'Point' ? geometry.coordinates : []
      return { centroid: `${lat},${lon}` }
    })
    expect(extentOf(documents)).toEqual(extentOf(points))
  })
})
