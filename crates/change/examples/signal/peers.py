"""Reads pages as JSON lines, and answers with a hash of the text that a tool makes of each."""
import hashlib
import json
import sys


def text_function(tool):
    if tool == "urlwatch":
        from urlwatch.html2txt import html2text
        return lambda page: "\n".join(html2text(page, "https://site.example/", "re", {}))
    from changedetectionio.html_tools import html_to_text
    return lambda page: html_to_text(page)


def main():
    try:
        text_of = text_function(sys.argv[1])
    except Exception as error:
        print(f"{type(error).__name__}: {error}".splitlines()[0], flush=True)
        return
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            text = str(text_of(json.loads(line)["page"]))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        print(json.dumps(hashlib.sha256(text.encode()).hexdigest()), flush=True)


main()
