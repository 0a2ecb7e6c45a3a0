"""Answers {id, sql} with {id, rows, ms} or {id, error}, one JSON object per line. Argument: data directory.

`ms` is the time of the query in this process, including the JSON text that the database makes of the rows. Passing it
on is not part of it.
"""

import json
import sys
import time

from chdb import session

# The other systems are measured without caches too.
SETTINGS = (
    "SET use_query_cache = 0, use_query_condition_cache = 0, "
    "output_format_json_quote_64bit_integers = 0, output_format_write_statistics = 0"
)


def answer(database, sql):
    started = time.perf_counter()
    result = database.query(sql, "JSONCompact").bytes()
    ms = (time.perf_counter() - started) * 1000
    # Statements without a result print nothing.
    rows = json.loads(result)["data"] if result else []
    return {"rows": rows, "ms": ms}


def main():
    database = session.Session(sys.argv[1])
    database.query(SETTINGS)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            reply = answer(database, asked["sql"])
        except Exception as error:
            reply = {"error": str(error)}
        print(json.dumps({"id": asked["id"], **reply}), flush=True)
    database.close()


main()
