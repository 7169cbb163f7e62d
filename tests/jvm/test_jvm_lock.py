"""Lock files and jars: what is downloaded, what is checked, and every way in which that fails. No Java takes part."""

import hashlib
from pathlib import Path

import pytest

from tck.adapters.jvm.classpath import classpath
from tck.adapters.jvm.lock import Lock, lock_file, read_lock, render_lock
from tck.adapters.jvm.repository import REPOSITORY, Artifact, Locked, cache_directory, repository_url
from tck.adapters.jvm.settings import Place, read_settings
from tck.profile import AdapterError, load_profile
from tck.profile.locate import profiles_directory

COORDINATE = "org.example:thing:1.0"
CONTENT = b"not really a jar"
SETTINGS = {"coordinates": [COORDINATE], "factory": {"class": "x.Y"}}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A profile beside a repository on disk, with a cache of its own."""
    monkeypatch.setenv("TCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(REPOSITORY, (tmp_path / "repository").as_uri())
    publish(tmp_path, Artifact.parse(COORDINATE), CONTENT)
    return Place("mine", tmp_path / "mine.toml")


def publish(root, artifact, content):
    file = root / "repository" / artifact.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def write_lock(place, *coordinates, content=CONTENT):
    digest = hashlib.sha256(content).hexdigest()
    artifacts = tuple(Locked(Artifact.parse(each), digest, len(content)) for each in coordinates)
    place.file.with_suffix(".lock.toml").write_text(
        render_lock(Lock((COORDINATE,), artifacts), "mine"), encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("g.h:a:1", "g/h/a/1/a-1.jar"),
        ("g:a:1:linux", "g/a/1/a-1-linux.jar"),
        ("g:a:1@zip", "g/a/1/a-1.zip"),
        ("g:a:1:bin@zip", "g/a/1/a-1-bin.zip"),
    ],
)
def test_a_coordinate_has_a_place_in_a_repository(text, path):
    assert Artifact.parse(text).path == path
    assert str(Artifact.parse(text)) == text


def test_what_is_no_coordinate_is_refused():
    with pytest.raises(ValueError, match="is no Maven coordinate; expected group:artifact:version"):
        Artifact.parse("g:a")


def test_jars_are_downloaded_once_and_then_come_from_the_cache(place, tmp_path):
    write_lock(place, COORDINATE)
    settings = read_settings(SETTINGS, place)
    asked_for = []
    (jar,) = classpath(settings, place, asked_for.append).jars
    assert jar.read_bytes() == CONTENT
    assert asked_for == [f"downloading 1 of 1 files, 0.0 MB, from {(tmp_path / 'repository').as_uri()}"]
    (tmp_path / "repository" / Artifact.parse(COORDINATE).path).unlink()
    assert classpath(settings, place, asked_for.append).jars == (jar,)
    assert len(asked_for) == 1


def test_a_damaged_jar_in_the_cache_is_downloaded_again(place):
    write_lock(place, COORDINATE)
    settings = read_settings(SETTINGS, place)
    (jar,) = classpath(settings, place, print).jars
    jar.write_bytes(CONTENT[:5])
    assert classpath(settings, place, print).jars[0].read_bytes() == CONTENT


def test_another_content_than_locked_is_refused_and_not_kept(place, tmp_path):
    write_lock(place, COORDINATE, content=b"what was locked.")
    with pytest.raises(AdapterError, match=r"is not what the lock file names: sha256 .* instead of"):
        classpath(read_settings(SETTINGS, place), place, print)
    assert not any(file.is_file() for file in (tmp_path / "cache" / "maven").rglob("*"))


def test_a_repository_without_the_artifact_says_so(place):
    write_lock(place, "org.example:other:1.0")
    with pytest.raises(AdapterError, match=r"the Maven repository file://\S+ has no org\.example:other:1\.0"):
        classpath(read_settings(SETTINGS, place), place, print)


def test_an_unreachable_repository_says_so(place):
    write_lock(place, COORDINATE)
    settings = read_settings(SETTINGS | {"repository": "http://127.0.0.1:9/maven"}, place)
    with pytest.raises(AdapterError, match=r"cannot be reached for .*; check the network, name another repository"):
        classpath(settings, place, print)


def test_a_repository_that_is_no_address_is_refused():
    with pytest.raises(AdapterError, match=r'"somewhere" is no address'):
        repository_url("somewhere")


def test_a_missing_lock_file_says_how_to_make_it(place):
    with pytest.raises(AdapterError, match=r"there is no lock file .*mine\.lock\.toml; make it with `tck lock -p "):
        read_lock(read_settings(SETTINGS, place), place)


def test_a_lock_of_other_coordinates_is_refused(place):
    write_lock(place, COORDINATE)
    settings = read_settings(SETTINGS | {"coordinates": ["org.example:thing:2.0"]}, place)
    with pytest.raises(AdapterError, match="was made from other coordinates; make it with"):
        read_lock(settings, place)


def test_a_damaged_lock_file_is_refused(place):
    place.file.with_suffix(".lock.toml").write_text("lock = 1\ncoordinates = []\n", encoding="utf-8")
    with pytest.raises(AdapterError, match=r"this lock file cannot be read \('artifacts'\)"):
        read_lock(read_settings(SETTINGS, place), place)


def test_jars_of_this_machine_need_no_lock_and_no_repository(place, tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.jar").write_bytes(CONTENT)
    settings = {"jars": ["lib/a.jar"], "factory": {"class": "x.Y"}}
    assert classpath(read_settings(settings, place), place, print).jars == (tmp_path / "lib" / "a.jar",)
    with pytest.raises(AdapterError, match=r"there is no .*b\.jar; correct the path, which counts from the profile"):
        classpath(read_settings(settings | {"jars": ["lib/b.jar"]}, place), place, print)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"colour": "red"},
            r"adapter\.settings\.colour: unknown; a Java provider's settings are namespace, coordinates",
        ),
        ({"namespace": "java"}, r'adapter\.settings\.namespace: expected "jakarta" or "javax"; saw "java"'),
        ({"java": "17"}, r"adapter\.settings\.java: expected int; saw '17'"),
        ({"options": "-Xmx1g"}, r"adapter\.settings\.options: expected a list of strings; saw '-Xmx1g'"),
        ({"coordinates": []}, r"adapter\.settings\.coordinates: nothing names the provider's jars"),
        ({"factory": {}}, r"adapter\.settings\.factory: nothing names a connection factory"),
    ],
)
def test_settings_that_cannot_be_used_are_reported_with_their_key(place, change, message):
    with pytest.raises(AdapterError, match=message):
        read_settings(SETTINGS | change, place)


@pytest.mark.parametrize(
    ("environment", "directory"),
    [({"TCK_CACHE": "/a"}, Path("/a")), ({"XDG_CACHE_HOME": "/b"}, Path("/b/jms-tck"))],
)
def test_the_cache_lies_where_the_environment_says(environment, directory, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_directory(environment) == directory


PROFILES = [
    profile
    for file in sorted((profiles_directory() / "providers").glob("*.toml"))
    if (profile := load_profile(file)).adapter.kind == "jvm"
]


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_the_kits_own_lock_files_fit_their_profiles(profile):
    place = Place(profile.name, profile.path)
    settings = read_settings(profile.adapter.settings, place)
    assert lock_file(settings, place).parent.name == "locks"
    lock = read_lock(settings, place)
    assert {Artifact.parse(text) for text in lock.coordinates} <= {each.artifact for each in lock.artifacts}
    assert render_lock(lock, settings.lock) == lock_file(settings, place).read_text(encoding="utf-8")


def of_release(place, release, *coordinates):
    return read_settings(
        {"coordinates": list(coordinates), "factory": {"class": "x.Y"}, "lock": "cache", "release": release}, place
    )


ARCHIVE = "org.example:broker:{}@zip"
"""An archive has no dependencies, so that nothing resolves them."""


def list_releases(root, *versions):
    folder = root / "repository" / "org" / "example" / "broker"
    folder.mkdir(parents=True, exist_ok=True)
    listed = "".join(f"<version>{each}</version>" for each in versions)
    (folder / "maven-metadata.xml").write_text(f"<metadata>{listed}</metadata>")


def test_a_lock_of_another_release_is_made_in_the_cache_once(place, tmp_path):
    publish(tmp_path, Artifact.parse(ARCHIVE.format("2.0")), CONTENT)
    list_releases(tmp_path, "1.0", "2.0")
    settings = of_release(place, "2.0", ARCHIVE.format("2.0"))
    said = []
    made = read_lock(settings, place, said.append)
    assert [str(each.artifact) for each in made.artifacts] == [ARCHIVE.format("2.0")]
    assert lock_file(settings, place).is_relative_to(tmp_path / "cache" / "locks")
    assert len(said) == 2
    assert read_lock(settings, place, said.append) == made
    assert len(said) == 2
    assert lock_file(of_release(place, "1.0", ARCHIVE.format("1.0")), place) != lock_file(settings, place)


def test_a_release_that_the_repository_does_not_list_is_refused_with_those_next_to_it(place, tmp_path):
    list_releases(tmp_path, "1.0", "1.9", "1.10", "2.1", "2.2", "3.0")
    with pytest.raises(AdapterError) as refused:
        read_lock(of_release(place, "2.0", ARCHIVE.format("2.0")), place)
    assert "--release 2.0: " in str(refused.value)
    assert "has no org.example:broker:2.0@zip; it has 1.9, 1.10, 2.1, 2.2 and 2 more" in str(refused.value)


def test_a_release_that_a_list_lacks_and_the_repository_serves_is_taken(place, tmp_path):
    list_releases(tmp_path, "1.0")
    publish(tmp_path, Artifact.parse(ARCHIVE.format("2.0")), CONTENT)
    made = read_lock(of_release(place, "2.0", ARCHIVE.format("2.0")), place)
    assert [each.artifact.version for each in made.artifacts] == ["2.0"]


def test_a_repository_without_a_list_is_asked_for_the_file(place):
    with pytest.raises(AdapterError, match=r"has no org.example:broker:2.0@zip"):
        read_lock(of_release(place, "2.0", ARCHIVE.format("2.0")), place)
