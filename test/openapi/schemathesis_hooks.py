"""What Schemathesis needs to know of this server beside the OpenAPI document.

Requests are made sensible where a language stands behind a text, the sample data is kept as it is, and the failures
that the specification asks for are let pass, each with its reason.
"""

import itertools
import json
import os
import re
import zlib
from urllib.parse import parse_qsl, urlsplit

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.parameters import ParameterLocation

# What is there, by the name of the path parameter and a part of the path; `test/openapi/sample.ts` made it.
FRESH = itertools.count()
SAMPLE = json.loads(os.environ.get("PERIPLUS_SAMPLE", "[]"))

FILTERS = [
    {"field": "params.job", "op": "eq", "value": "Actor,Coach"},
    {"field": "params.age", "op": "range", "value": "[10<20],]30<40["},
    {"field": "$timestamp", "op": "gte", "value": "1000"},
    {"field": "geo_params.centroid", "op": "within", "value": "-20,-20,30,30"},
    {"field": "geo_params.geometry", "op": "intersects", "value": "POLYGON((0 0,10 0,10 10,0 10,0 0))"},
    {"field": "fullname", "op": "like", "value": "My name is"},
    {"field": "params.country", "op": "NE", "value": "Albania"},
]
TEXTS = ["fullname:My name is", "name is", "ID_"]
SORTS = ["id", "-params.age,id", "params.startdate", "geodistance:10 20"]
AGGREGATIONS = [
    ("term:params.job:size-3", {"type": "term", "field": "params.job", "size": 3}),
    ("datehistogram:interval-1minute", {"type": "datehistogram", "interval": {"value": 1, "unit": "minute"}}),
    ("histogram:params.age:interval-10", {"type": "histogram", "field": "params.age", "interval": {"value": 10}}),
]
GRIDS = [
    (
        "geotile:geo_params.centroid:interval-4",
        {"type": "geotile", "field": "geo_params.centroid", "interval": {"value": 4}},
    ),
    (
        "geohash:geo_params.centroid:interval-2:aggregated_geometries-bbox,centroid",
        {
            "type": "geohash",
            "field": "geo_params.centroid",
            "interval": {"value": 2},
            "aggregated_geometries": ["bbox", "centroid"],
        },
    ),
]
FIGURES = [("params.age", "avg"), ("params.age", "MAX"), ("params.job", "cardinality"), ("geo_params.centroid", "geobbox")]
CQL2 = [
    ("cql2-text", "params.job = 'Actor' AND params.age BETWEEN 10 AND 60"),
    ("cql2-text", "S_INTERSECTS(geo_params.centroid, BBOX(-20,-20,30,30))"),
    ("cql2-json", '{"op":"isNull","args":[{"property":"params.country"}]}'),
]
CRS = [f"http://www.opengis.net/def/crs/{name}" for name in ("OGC/1.3/CRS84", "EPSG/0/4326", "EPSG/0/3857")]
OGC_VALUES = {
    "bbox": ["-20,-20,30,30", "170,-10,-170,10"],
    "bbox-crs": CRS[:1],
    "filter-crs": CRS[:1],
    "crs": CRS,
    "datetime": ["1970-01-01T00:12:00Z/..", "1970-01-01"],
    "properties": ["params.job", "params.age,params.country"],
    "sortby": ["-params.age", "+params.job,params.age"],
}
STAC_BOX = {"type": "Polygon", "coordinates": [[[-20, -20], [30, -20], [30, 30], [-20, 30], [-20, -20]]]}
STAC_QUERY = {"params.age": {"gte": 10}, "params.job": {"in": ["Actor", "Coach"]}}
STAC_AGGREGATIONS = ["total_count", "datetime_frequency", "params.job_frequency", "params.age_stats"]
STAC_VALUES = {
    "ids": ["ID__0__0DI", "1,2"],
    "bbox": ["-20,-20,30,30", "170,-10,-170,10"],
    "filter-crs": CRS[:1],
    "datetime": ["1970-01-01T00:12:00Z/..", "1970-01-01T00:12:00Z"],
    "intersects": [json.dumps(STAC_BOX)],
    "query": [json.dumps(STAC_QUERY)],
    "sortby": ["-params.age", "+id"],
    "aggregations": [",".join(STAC_AGGREGATIONS)],
}
STAC_BODY = {
    "bbox": [-20, -20, 30, 30],
    "filter-crs": CRS[0],
    "datetime": "1970-01-01T00:12:00Z/..",
    "intersects": STAC_BOX,
    "query": STAC_QUERY,
    "sortby": [{"field": "params.age", "direction": "desc"}],
    "aggregations": STAC_AGGREGATIONS,
}
BULK = '{"index":{"_index":"generated"}}\n{"id":"a"}\n'
EVENTS = '{"collection":"geodata","event":"UPDATE","object":{"id":"ID__10__30DI"}}\n'


@schemathesis.serializer("application/x-ndjson", "application/vnd.elasticsearch+x-ndjson")
def serialize_lines(_context, value):
    return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()


class Dice:
    """Choices that follow from a request, so that a seed repeats them."""

    def __init__(self, case):
        content = repr((case.method, case.path, case.path_parameters, case.query, case.body))
        self.state = zlib.crc32(content.encode("utf-8", "replace"))

    def number(self):
        self.state = zlib.crc32(self.state.to_bytes(4, "big"))
        return self.state

    def one_of(self, items):
        return items[self.number() % len(items)]


@schemathesis.hook
def before_add_examples(context, examples):
    for case in examples:
        name_sample(case, Dice(case))


@schemathesis.hook
def map_case(context, case):
    dice = Dice(case)
    name_sample(case, dice)
    narrow_seldom(case, dice)
    # What a request must not hold stays as it was generated; of the others one in four does.
    if case.meta is None or case.meta.generation.mode.is_negative or dice.one_of([False, False, False, True]):
        return case
    if isinstance(case.query, dict):
        case.query = sensible_query(case, dict(case.query), dice)
    if isinstance(case.body, dict):
        sensible = sensible_stac_body if case.path.startswith("/stac") else sensible_body
        case.body = sensible(case.body, dice)
    if isinstance(case.body, str) and "ndjson" in (case.media_type or ""):
        case.body = EVENTS if case.path == "/events" else BULK
    return case


def name_sample(case, dice):
    """Most requests are about what is there; what takes it away is about something else."""
    parameters = case.path_parameters
    if not isinstance(parameters, dict):
        return
    if case.meta is not None and case.meta.is_negative_at(ParameterLocation.PATH):
        return
    operation = f"{case.method.upper()} {case.path}"
    if operation == "PUT /index/{index}":
        parameters["index"] = f"generated-{next(FRESH)}"
    for name, where, changes, value in SAMPLE:
        if name not in parameters or not re.search(where, operation):
            continue
        if re.search(changes, operation):
            if parameters[name] == value or re.search(r"\*|^_all$", str(parameters[name])):
                parameters[name] = f"generated-{dice.number()}"
        elif is_example(case) or dice.one_of([True] * 7 + [False]):
            parameters[name] = value


def narrow_seldom(case, dice):
    """Views narrowed by anything would most often show nothing."""
    headers = case.headers or {}
    for name, value in [("partition-filter", "{}"), ("column-filter", "*"), ("arlas-organization", "foo")]:
        given = next((key for key in headers if key.lower() == name), None)
        choice = dice.one_of(["none", "none", "none", "good", "as it is"])
        if given is not None and choice == "none":
            del headers[given]
        elif given is not None and choice == "good":
            headers[given] = value


def sensible_query(case, query, dice):
    if isinstance(query.get("f"), list):
        query["f"] = [text_of(dice.one_of(FILTERS)) for _ in query["f"][:3]]
    if isinstance(query.get("q"), list):
        query["q"] = [dice.one_of(TEXTS) for _ in query["q"][:2]]
    if "agg" in query:
        grids = [text for text, _ in GRIDS]
        texts = grids if "geo" in case.path or "shape" in case.path else grids + [text for text, _ in AGGREGATIONS]
        query["agg"] = dice.one_of(texts) if "_mvt" in case.path else [dice.one_of(texts)]
        if "_mvt" in case.path:
            query["agg"] = "geotile:geo_params.centroid"
    if "metric" in query:
        query["field"], query["metric"] = dice.one_of(FIGURES)
    sensible_page(query, dice)
    if case.path.startswith("/ogc"):
        for name, values in OGC_VALUES.items():
            if name in query:
                query[name] = dice.one_of(values)
        if "filter" in query:
            query["filter-lang"], query["filter"] = dice.one_of(CQL2)
        query.pop("token", None)
    if case.path.startswith("/stac") and not case.path.endswith("/collections"):
        for name, values in STAC_VALUES.items():
            if name in query:
                query[name] = dice.one_of(values)
        if "filter" in query:
            query["filter-lang"], query["filter"] = dice.one_of(CQL2)
        if "bbox" in query:
            query.pop("intersects", None)
        query.pop("token", None)
    return query


def sensible_stac_body(body, dice):
    body = {name: STAC_BODY.get(name, value) for name, value in body.items()}
    if "filter" in body:
        body["filter-lang"], body["filter"] = dice.one_of(CQL2[:2])
    if "bbox" in body:
        body.pop("intersects", None)
    body.pop("token", None)
    return body


def sensible_page(page, dice):
    if "sort" in page:
        page["sort"] = dice.one_of(SORTS)
    page.pop("after", None)
    page.pop("before", None)
    if isinstance(page.get("size"), int) and page["size"] > 10_000:
        page["size"] = 100
    for name in ("returned_geometries", "include", "includes"):
        if name in page:
            page[name] = "geo_params.centroid"
    page.pop("dateformat", None)


def sensible_body(body, dice):
    body = dict(body)
    for name in ("filter", "partitionFilter", "search", "propagation"):
        if isinstance(body.get(name), dict):
            body[name] = sensible_body(body[name], dice)
        if isinstance(body.get(name), list):
            body[name] = [sensible_body(one, dice) for one in body[name] if isinstance(one, dict)]
    if isinstance(body.get("f"), list):
        body["f"] = [[dice.one_of(FILTERS)] for _ in body["f"][:3]]
    if isinstance(body.get("q"), list):
        body["q"] = [[dice.one_of(TEXTS)] for _ in body["q"][:2]]
    if isinstance(body.get("aggregations"), list):
        body["aggregations"] = [dice.one_of(GRIDS)[1]]
    if "metric" in body:
        body["field"], body["metric"] = dice.one_of(FIGURES)
    if isinstance(body.get("tag"), dict):
        body["tag"] = {"path": "params.tags", "value": "generated"}
    for name in ("page", "projection"):
        if isinstance(body.get(name), dict):
            body[name] = dict(body[name])
            sensible_page(body[name], dice)
    return body


def text_of(expression):
    return f"{expression['field']}:{expression['op']}:{expression['value']}"


# Refusals of requests that keep the document: operation, code, message, reason. They are rules that no JSON Schema can
# say, or answers the specification asks for. An operation that does not list a code fails with it all the same.
ANY = r".*"
ALLOWED_REFUSALS = [
    (ANY, "LIMIT_EXCEEDED", ANY, "limits are settings of the server"),
    (ANY, "INVALID_FILTER", ANY, "the filter language and the types of fields are behind a plain text"),
    (ANY, "INVALID_GEOMETRY", ANY, "WKT is a plain text; rings must be closed and within the world"),
    (ANY, "INVALID_AGGREGATION", ANY, "the language of aggregations is behind a plain text"),
    (
        r"/(explore|write)/",
        "INVALID_PARAMETER",
        r"^(search\.)?(page\.)?(sort|after|before|from|size|include|includes|returned_geometries|projection\S*) ",
        "sorts and cursors name fields, and depend on one another",
    ),
    (r"_compute$", "INVALID_PARAMETER", r"^(field|metric) ", "which figures a field has depends on its type"),
    (r"_suggest$", "INVALID_PARAMETER", r"^field ", "only fields of texts have suggestions"),
    (r"_mvt", "INVALID_PARAMETER", r"^layers ", "a list in any order and case"),
    (r"/\{z\}/", "INVALID_PARAMETER", r"^z/x/y ", "how many tiles there are depends on the zoom"),
    (r"(subscriptions|deliveries)$", "INVALID_PARAMETER", r"^page times size ", "a rule about two parameters"),
    (
        r"/ogc/",
        "INVALID_PARAMETER",
        r"^(properties|sortby|bbox|bbox-crs|datetime|filter|filter-crs|crs|token) ",
        "names of properties and systems, CQL2, boxes and times are plain texts",
    ),
    (
        r"/stac/",
        "INVALID_PARAMETER|INVALID_BODY",
        r"^(aggregations|sortby|bbox|datetime|filter|filter-crs|token|intersects|query\S*|fields) ",
        "names of properties and aggregations, CQL2, geometries, boxes and times are plain texts or any JSON; fields must not be null",
    ),
    (r"/stac/", "MALFORMED_JSON|INVALID_BODY", r"^(intersects|query) ", "JSON in a parameter is a plain text"),
    (r"/collections/", "INVALID_COLLECTION", ANY, "names, paths and codes of other standards"),
    (r"_import$", "INVALID_BODY|MALFORMED_JSON", r"^(file|\S*\[\d+\]|body)", "the JSON of a form field is a plain text"),
    (r"^PUT /index/\{index\}$", "INVALID_INDEX", r"already exists|exists already|must be in lower case", "loaders look for this answer"),
    (r"/index/", "INVALID_INDEX", ANY, "mappings are read as loaders write them, and must fit those that are there"),
    (
        r"/index/\{index\}/_(search|count)$",
        "INVALID_BODY|INVALID_PARAMETER",
        ANY,
        "queries, aggregations and sorts are any JSON, as clients of Elasticsearch write them",
    ),
    (r"/_cat/", "INVALID_PARAMETER", r"^(h|s|bytes) ", "names of columns are plain texts"),
    (r"_doc|_update", "INVALID_BODY", r"^document was rejected", "a document must fit the mapping"),
    (r"_bulk$", "INVALID_BODY|MALFORMED_JSON", ANY, "lines of JSON are a plain text"),
    (r"^POST /events$", "INVALID_BODY|MALFORMED_JSON", r"^(body must not be empty|events\[\d+\] )", "lines of JSON are a plain text"),
    (r"^POST /events$", "INVALID_EVENT", ANY, "collection and kind may be here or in the object"),
    (r"/write/", "INVALID_TAG|FIELD_NOT_TAGGABLE|INVALID_PROPAGATION", ANY, "depends on the fields of the collection"),
    (r"subscriptions", "INVALID_SUBSCRIPTION", r"^(expires_at must be later|starts_at must be .*got '9223372036854776000'|userMetadatas|subscription\.trigger must have)", "a rule about two members, sizes in bytes, and 64-bit integers that are one double"),
    (r"subscriptions", "INVALID_TRIGGER", r"must be an integer from -9007199254740991", "a trigger is any JSON, but no number that a double does not hold exactly"),
    (r"subscriptions", "INVALID_HITS", ANY, "query strings of the filter language"),
    (r"subscriptions", "CALLBACK_NOT_ALLOWED", ANY, "of all URIs, those that may be called"),
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False: the failure is none."""
    if isinstance(failure, AcceptedNegativeData):
        # A body that is too large is refused before it is read, which Schemathesis does not count as a refusal.
        if response.status_code == 413:
            return False
        # The largest 64-bit integer and the next are the same double; JSON numbers are read as such.
        is_double = "9223372036854775808" in json.dumps(case.body, default=str)
        return not is_double and not sends_blank(response)
    # Examples of the document are right in every way, where there is what they are about.
    if not isinstance(failure, RejectedPositiveData) or (is_example(case) and SAMPLE):
        return True
    body = response.json()
    operation = f"{case.method.upper()} {case.path}"
    return not any(
        re.search(where, operation) and re.fullmatch(codes, body["error"]) and re.search(message, body["message"])
        for where, codes, message, _reason in ALLOWED_REFUSALS
    )


def sends_blank(response):
    """A parameter of white space counts as absent, whatever its type."""
    query = parse_qsl(urlsplit(response.request.url).query)
    return any(value != "" and value.strip() == "" for _name, value in query)


def is_example(case):
    return case.meta is not None and case.meta.phase.name.value == "examples"
