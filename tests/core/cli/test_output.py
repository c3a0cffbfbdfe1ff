"""The printers, on diagnostics made by hand."""

import json
from dataclasses import replace

from pullback.diagnostics import Fix, Related, report
from pullback.ir import Span
from pullback.output import PRINTERS, locate
from pullback.source.edits import Edit

TEXT = 'def f(m):\n    ä = "é"; flat = m.reshape(-1)\n\tflat[0] = 1.0\n'
WRITE = Span(TEXT.index("flat[0]"), TEXT.index("flat[0]") + len("flat[0]"))
MADE = Span(TEXT.index("m.reshape"), TEXT.index(")\n\t") + 1)


def plain(text, severity):
    return text


def located():
    told = report("PB201", WRITE, function="f", written="flat", other="m")
    related = (
        Related(MADE, "may be a view of m"),
        Related(Span(2, 3), "copied here", "other.py"),
    )
    copy = Fix("Copy flat", (Edit(Span(MADE.end, MADE.end), ".copy()"),), safe=False)
    keep = Fix("Keep flat", (Edit(MADE, "m"),), safe=False)
    d = replace(told, related=related, fixes=(copy, keep))
    return locate([d], "a,b.py", TEXT, lambda path: (path, "#\n\nx\n"))


def printed(form):
    return PRINTERS[form](located(), plain)


def test_concise():
    assert printed("concise").startswith(
        "a,b.py:3:2: PB201 flat may or may not share memory with m"
    )


def test_full():
    assert printed("full").splitlines() == [
        "a,b.py:3:2: error PB201: flat may or may not share memory with m, "
        "and is written here; copy it first",
        "  |",
        "3 | \tflat[0] = 1.0",
        "  | \t^^^^^^^",
        "  = may be a view of m: a,b.py:2:21",
        "  = copied here: other.py:2:1",
        "  = help: Copy flat",
        "  = help: Keep flat",
        "  = more: pullback explain PB201",
        "",
        "1 error",
    ]


def test_json():
    (record,) = json.loads(printed("json"))
    assert record["range"] == {"start": {"line": 3, "column": 2}, "end": {"line": 3, "column": 9}}
    place = {"line": 2, "column": 34}
    assert record["fix"] == {
        "title": "Copy flat",
        "edits": [{"range": {"start": place, "end": place}, "text": ".copy()"}],
    }


def test_github_escapes():
    assert printed("github").startswith(
        "::error file=a%2Cb.py,line=3,col=2,endLine=3,endColumn=9,"
        "title=PB201 possible-alias-written::flat may"
    )
    assert printed("github").endswith("copy it first%0Ahelp: Copy flat%0Ahelp: Keep flat\n")


def test_sarif_is_whole():
    log = json.loads(printed("sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["name"] == "pullback"
    assert result["ruleId"] == rule["id"] == "PB201"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]] is rule
    assert result["level"] in {"none", "note", "warning", "error"}
    assert result["message"]["text"]
    (place,) = result["locations"]
    region = place["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 2, "endLine": 3, "endColumn": 9}
    assert run["columnKind"] == "unicodeCodePoints"
    assert len(result["relatedLocations"]) == 2
    copy, keep = result["fixes"]
    assert copy["description"]["text"] == "Copy flat"
    (change,) = copy["artifactChanges"]
    assert change["artifactLocation"] == place["physicalLocation"]["artifactLocation"]
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 2, "startColumn": 34, "endLine": 2, "endColumn": 34},
            "insertedContent": {"text": ".copy()"},
        }
    ]
    (replaced,) = keep["artifactChanges"][0]["replacements"]
    assert replaced["deletedRegion"]["startColumn"] == 21
    assert replaced["insertedContent"] == {"text": "m"}


def test_nothing_to_print():
    assert PRINTERS["full"]([], plain) == PRINTERS["concise"]([], plain) == ""
    assert json.loads(PRINTERS["json"]([], plain)) == []
    assert json.loads(PRINTERS["sarif"]([], plain))["runs"][0]["results"] == []
