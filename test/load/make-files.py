"""Writes the files of test/load/files that are not written by hand: with pandas, pyarrow, openpyxl and GDAL.

Run it in a virtual environment that has these packages: python3 test/load/make-files.py
The written files are committed, because programs of other versions write other bytes.
"""

import gzip
import json
import os
import shutil
import subprocess
import zipfile

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")
WORK = os.path.join(HERE, "work")

PLACES = [
    ("oslo", "Oslo", 10.7522, 59.9139, 709_000, "2021-03-01"),
    ("lima", "Lima", -77.0428, -12.0464, 10_719_000, "2020-07-15"),
    ("zurich", "Zürich", 8.5417, 47.3769, 434_000, "2019-12-31"),
]


def path(name):
    return os.path.join(HERE, name)


def text(name, content, encoding="utf-8"):
    with open(path(name), "wb") as file:
        file.write(content.encode(encoding))


def ogr(target, *options):
    subprocess.run(["ogr2ogr", *options, path(target), os.path.join(WORK, "places.geojson")], check=True)


def feature(key, name, lon, lat, population, founded):
    return {
        "type": "Feature",
        "properties": {"code": key, "name": name, "population": population, "founded": founded},
        "geometry": {"type": "Point", "coordinates": [lon, lat]},
    }


def main():
    shutil.rmtree(HERE, ignore_errors=True)
    os.makedirs(WORK)
    collection = {"type": "FeatureCollection", "features": [feature(*place) for place in PLACES]}
    with open(os.path.join(WORK, "places.geojson"), "w") as file:
        json.dump(collection, file)
    columnar()
    spatial()
    tables()
    markup()
    foreign()
    shutil.rmtree(WORK)


def columnar():
    frame = pd.DataFrame(PLACES, columns=["code", "name", "lon", "lat", "population", "founded"])
    frame["founded"] = pd.to_datetime(frame["founded"])
    frame.to_parquet(path("pandas.parquet"))
    feather.write_feather(frame, path("lz4.feather"), compression="lz4")
    feather.write_feather(frame, path("zstd.feather"), compression="zstd")
    with pa.OSFile(path("stream.arrow"), "wb") as sink:
        table = pa.Table.from_pandas(frame)
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    frame["seen"] = pd.to_datetime(["2021-03-01 10:00:00.123456", "2021-03-02 10:00:00.5", "2021-03-03 11:30:00"], format="ISO8601")
    frame.drop(columns=["founded"]).to_csv(path("pandas.csv"), index=True, date_format="%Y-%m-%d %H:%M:%S.%f")
    frame["seen"] = frame["seen"].dt.tz_localize("Europe/Oslo")
    frame.drop(columns=["founded"]).to_csv(path("zoned.csv"), index=False)
    big = pd.DataFrame({"code": [f"c{i}" for i in range(5000)], "lon": 10.0, "lat": 50.0, "n": range(5000)})
    feather.write_feather(big, path("linked-blocks.feather"), compression="lz4")


def spatial():
    ogr("mercator.geojson", "-f", "GeoJSON", "-t_srs", "EPSG:3857", "-lco", "RFC7946=NO")
    ogr("lambert.gpkg", "-f", "GPKG", "-t_srs", "EPSG:3035", "-nln", "places")
    subprocess.run(
        ["ogr2ogr", "-f", "GPKG", "-update", path("lambert.gpkg"), os.path.join(WORK, "places.geojson"), "-nln", "second"],
        check=True,
    )
    ogr("utm.fgb", "-f", "FlatGeobuf", "-t_srs", "EPSG:32633", "-where", "code <> 'lima'")
    ogr("degrees.fgb", "-f", "FlatGeobuf")
    ogr("sequence.geojsons", "-f", "GeoJSONSeq", "-lco", "RS=YES")
    ogr("placemarks.kml", "-f", "KML")
    ogr("waypoints.gpx", "-f", "GPX", "-dsco", "GPX_USE_EXTENSIONS=YES")
    for name, options in {
        "latin1": ["-lco", "ENCODING=ISO-8859-1"],
        "british": ["-t_srs", "EPSG:27700", "-where", "code <> 'lima'", "-lco", "ENCODING=UTF-8"],
    }.items():
        folder = os.path.join(WORK, name)
        os.makedirs(folder)
        source = os.path.join(WORK, "places.geojson")
        subprocess.run(["ogr2ogr", "-f", "ESRI Shapefile", *options, folder + "/places.shp", source], check=True)
        with zipfile.ZipFile(path(f"{name}-shapefile.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
            for part in sorted(os.listdir(folder)):
                archive.write(os.path.join(folder, part), f"data/{part}")
    polygons = {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"id": 7, "day": "2024-02-29"},
                "geometry": {
                    "type": "MultiPolygon",
                    "coordinates": [
                        [
                            [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]],
                            [[2, 2], [2, 4], [4, 4], [4, 2], [2, 2]],
                        ],
                        [[[20, 0], [30, 0], [30, 10], [20, 0]]],
                    ],
                },
            }
        ],
    }
    with open(os.path.join(WORK, "polygons.geojson"), "w") as file:
        json.dump(polygons, file)
    folder = path("islands")
    os.makedirs(folder)
    subprocess.run(
        ["ogr2ogr", "-f", "ESRI Shapefile", folder + "/islands.shp", os.path.join(WORK, "polygons.geojson")], check=True
    )
    subprocess.run(
        ["ogr2ogr", "-f", "GPKG", path("islands.gpkg"), os.path.join(WORK, "polygons.geojson"), "-nln", "islands"], check=True
    )


def tables():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Stations"
    sheet.append(["Monthly report"])
    sheet.append([])
    sheet.append(["Station", "Latitude", "Longitude", "Opened", "Seen", "Active"])
    rows = [("Oslo S", 59.91, 10.75, "1980-06-01", "2024-01-02 03:04:05", True), ("Bergen", 60.39, 5.33, "1883-07-11", "2024-01-03 00:00:01", False)]
    for name, lat, lon, opened, seen, active in rows:
        sheet.append([name, lat, lon, pd.Timestamp(opened).date(), pd.Timestamp(seen).to_pydatetime(), active])
        sheet.cell(sheet.max_row, 4).number_format = "DD.MM.YYYY"
    book.create_sheet("Notes").append(["nothing here"])
    book.save(path("excel.xlsx"))
    content = open(path("pandas.csv"), "rb").read()
    with open(path("packed.csv.gz"), "wb") as file:
        file.write(gzip.compress(content, mtime=0))
    subprocess.run(["zstd", "-q", "-f", path("pandas.csv"), "-o", path("packed.csv.zst")], check=True)
    with zipfile.ZipFile(path("two-files.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("2023.csv", "id,when,lon,lat\na,2023-01-01,1,2\n")
        archive.writestr("2024.csv", "id,when,lon,lat\nb,2024-01-01,3,4\n")
        archive.writestr("README.txt", "hello")
        archive.writestr("__MACOSX/._2023.csv", "x")


def markup():
    with zipfile.ZipFile(path("placemarks.kmz"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path("placemarks.kml"), "doc.kml")


def foreign():
    subprocess.run(
        ["gdal_create", "-q", "-of", "GTiff", "-outsize", "2", "2", "-bands", "1", "-a_srs", "EPSG:4326", path("image.tif")],
        check=True,
    )


main()
