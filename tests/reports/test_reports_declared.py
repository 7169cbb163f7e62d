"""What a profile declares is neither broken nor held: the report of a workload says so."""

import pages_read

from tck.cli.main import main
from tck.record import Bundle, Verdict
from tck.reports.html import write_site


def test_what_is_declared_is_neither_broken_nor_held(catalogue, tmp_path):
    def drive(profile, out):
        words = ["workload", "run", "-p", str(profile), "--plan", "steady", "--messages", "60", "--seed", "7"]
        code = main([*words, "--setting", 'saboteur="message-id-unique"', "--out", str(out), "--format", "json"])
        [folder] = (out / "runs").iterdir()
        return code, Bundle.open(folder)

    _, driven = drive("reference", tmp_path / "1")
    profile = tmp_path / "declaring.toml"
    head = '[profile]\nname = "declaring"\ntitle = "Declaring"\nextends = "reference"\n'
    broken = [
        f'[[deviation]]\nassertion = "{row}"\ncases = "{result.case}"\noutcome = "fails"\nreason = "r"\nevidence = "e"\n'
        for result in driven.results()
        for row, verdict in result.verdicts.items()
        if verdict is Verdict.VIOLATION
    ]
    profile.write_text("\n".join([head, *broken]), encoding="utf-8")
    code, driven = drive(profile, tmp_path / "2")
    text = " ".join(pages_read.read(write_site(driven, tmp_path / "site", catalogue)).text.split())
    assert code == 0
    assert "No undeclared violation found" in text
    assert "Nothing: every tested property held, except 1 property that the profile declares as failing." in text
