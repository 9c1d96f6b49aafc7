"""Uploaded pictures, malicious ones above all (docs/guarantees/customers.md#uploaded-pictures)."""

import io
import os
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BoundedSemaphore, Lock
from typing import Any

import pytest
from PIL import Image as Pillow
from PIL import ImageCms

from core.pictures import decoder, uploads
from core.pictures.uploads import MAX_BYTES, DecoderBusyError, NoPictureError, reencode
from core.tests.hostile_pictures import SCRIPT, SECRET, hostile, picture, polyglots, repeating_jpeg, with_exif


def is_decoded(data: bytes) -> bool:
    """Decode in this process, because starting another one takes longer than all files together."""
    with suppress(Exception), warnings.catch_warnings(action="ignore"):
        return bool(decoder.reencoded(data))
    return False


def test_a_file_that_is_no_picture_is_refused() -> None:
    assert is_decoded(picture())
    files = hostile()
    decoded = {case for case, data in files.items() if is_decoded(data)}
    # Its size is refused before.
    assert decoded == {"more than 5 MB"}
    for case in ("more than 5 MB", "nothing", "SVG", "text bomb", "bomb of 25 million"):
        with pytest.raises(NoPictureError):
            reencode(files[case])


def test_of_a_picture_only_the_pixels_remain(subtests: pytest.Subtests) -> None:
    for case, data in polyglots().items():
        with subtests.test(msg=case):
            assert len(data) <= MAX_BYTES
            fresh = decoder.reencoded(data)[decoder.HASH_BYTES :]
            assert SCRIPT not in fresh
            assert SECRET not in fresh
            with Pillow.open(io.BytesIO(fresh)) as opened:
                assert opened.format == "JPEG"
                assert not opened.getexif()
                assert not {"comment", "icc_profile", "xmp", "exif"} & opened.info.keys()
    assert reencode(data).jpeg == fresh


def test_a_picture_is_upright_without_its_exif_data() -> None:
    with Pillow.open(io.BytesIO(reencode(with_exif()).jpeg)) as opened:
        assert opened.size == (20, 80)


def middle_of(data: bytes) -> Any:
    """Return the colour in the middle of a stored picture."""
    with Pillow.open(io.BytesIO(reencode(data).jpeg)) as opened:
        return opened.getpixel((opened.width // 2, opened.height // 2))


def test_a_jpeg_that_holds_two_pictures_is_its_first() -> None:
    other = Pillow.new("RGB", (60, 40), "blue")
    out = io.BytesIO()
    Pillow.new("RGB", (60, 40), "red").save(out, "MPO", save_all=True, append_images=[other])
    with Pillow.open(io.BytesIO(out.getvalue())) as opened:
        assert (opened.format, getattr(opened, "n_frames", 1)) == ("MPO", 2)
    assert middle_of(out.getvalue()) == pytest.approx((254, 0, 0), abs=2)
    # The limit of pixels is that of any JPEG.
    large = io.BytesIO()
    Pillow.new("L", (5_001, 5_000)).save(large, "MPO", save_all=True, append_images=[Pillow.new("L", (8, 8))])
    with pytest.raises(NoPictureError):
        reencode(large.getvalue())


def test_of_an_animation_the_first_picture_is_stored() -> None:
    for format in ("PNG", "WEBP"):
        out = io.BytesIO()
        Pillow.new("RGB", (60, 40), "red").save(
            out, format, save_all=True, append_images=[Pillow.new("RGB", (60, 40), "blue")] * 2
        )
        assert middle_of(out.getvalue()) == pytest.approx((254, 0, 0), abs=3)


def test_a_picture_keeps_its_colours_without_its_profile() -> None:
    """Colours of another space than sRGB look the same after the profile is gone."""
    profile = swapped_profile()
    red, blue = Pillow.new("RGB", (60, 40), (200, 30, 30)), (200, 30, 30)[::-1]
    for format, mode in (("JPEG", "RGB"), ("PNG", "RGB"), ("WEBP", "RGB"), ("PNG", "RGBA")):
        out = io.BytesIO()
        red.convert(mode).save(
            out, format, icc_profile=profile, **({} if format == "PNG" else {"quality": 95})
        )
        assert middle_of(out.getvalue()) == pytest.approx(blue, abs=12), (format, mode)


def swapped_profile() -> bytes:
    """Return the profile of a colour space like sRGB, whose red is the blue of others."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    # The table of tags: their names are four bytes.
    for one, other in ((b"rXYZ", b"bXYZ"),):
        first, second = data.index(one), data.index(other)
        data[first : first + 4], data[second : second + 4] = other, one
    return bytes(data)


def test_a_broken_colour_profile_counts_as_none() -> None:
    red = Pillow.new("RGB", (60, 40), "red")
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    for profile in (b"junk", swapped_profile()[:100], lab):
        out = io.BytesIO()
        red.save(out, "JPEG", icc_profile=profile)
        assert middle_of(out.getvalue()) == pytest.approx((254, 0, 0), abs=2)


def test_greys_of_sixteen_bits_stay_grey() -> None:
    out = io.BytesIO()
    Pillow.new("I;16", (60, 40), 0x8000).save(out, "PNG")
    assert middle_of(out.getvalue()) == pytest.approx((128, 128, 128), abs=2)


def test_a_large_picture_is_made_smaller() -> None:
    with Pillow.open(io.BytesIO(reencode(picture("PNG", (5000, 3000), "L")).jpeg)) as opened:
        assert opened.size == (1667, 1000)


def test_transparent_areas_become_white() -> None:
    for data in (picture("PNG", mode="RGBA"), picture("PNG", mode="P", transparency=0)):
        with Pillow.open(io.BytesIO(reencode(data).jpeg)) as opened:
            assert opened.getpixel((5, 5)) == (255, 255, 255)


def test_the_largest_pictures_need_no_more_memory_than_the_decoder_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Tests that run at the same time may leave it little of the processor.
    monkeypatch.setattr(uploads, "MAX_SECONDS", 60.0)
    for data in (picture("PNG", (5_000, 5_000), "RGBA"), picture("WEBP", (3_162, 3_162), "RGBA")):
        assert reencode(data)


@pytest.mark.skipif(sys.platform != "linux", reason="memory can be bounded on Linux only")
def test_a_picture_that_needs_more_memory_than_it_may_have_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(uploads, "MAX_MEMORY", 100 * 2**20)
    assert reencode(picture())
    with pytest.raises(NoPictureError):
        reencode(picture("PNG", (5_000, 5_000), "RGBA"))


def test_a_picture_that_takes_too_much_of_the_processor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_PROCESSOR_SECONDS", 1)
    monkeypatch.setattr(uploads, "MAX_SECONDS", 60.0)
    with pytest.raises(NoPictureError, match="ended with -"):
        reencode(repeating_jpeg())


def test_a_decoder_that_takes_too_long_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **kw: Any) -> None:
            super().__init__(*args, **kw)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    monkeypatch.setattr(uploads, "MAX_SECONDS", 0.3)
    with pytest.raises(NoPictureError, match="too slow"):
        reencode(repeating_jpeg())
    (process,) = started
    assert process.returncode == -9


def test_a_decoder_cannot_write_endlessly(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = reencode(picture())
    size = decoder.HASH_BYTES + len(fresh.jpeg)
    monkeypatch.setattr(uploads, "MAX_OUTPUT", size)
    assert reencode(picture()) == fresh
    monkeypatch.setattr(uploads, "MAX_OUTPUT", size - 1)
    with pytest.raises(NoPictureError):
        reencode(picture())


def replace_program(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    """Let another program decode."""
    program = folder / "program.py"
    program.write_text(code)
    monkeypatch.setattr(decoder, "__file__", str(program))


def test_the_decoder_sees_neither_secrets_nor_open_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SECRET_KEY", "a real one")
    replace_program(
        monkeypatch,
        tmp_path,
        "import os; print(' ' * 128);"
        "print([*os.environ, *(n for n in range(3, 99) if os.path.exists(f'/dev/fd/{n}'))])",
    )
    with (tmp_path / "file").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        found = reencode(b"").jpeg.decode().strip()
    assert set(found.strip("[]\n").replace("'", "").split(", ")) <= {"", "LC_CTYPE"}


def test_a_fault_of_the_decoder_itself_is_not_blamed_on_the_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    replace_program(monkeypatch, tmp_path, "import no_such_module")
    with pytest.raises(subprocess.CalledProcessError):
        reencode(picture())


def test_one_upload_waits_for_the_decoder_and_the_others_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the decoder busy until all but the one that waits for it have been refused."""
    places, decoding = BoundedSemaphore(2), Lock()
    monkeypatch.setattr(uploads, "_places", places)
    monkeypatch.setattr(uploads, "_one_at_a_time", decoding)
    monkeypatch.setattr(uploads, "WAIT_SECONDS", 60.0)
    for each in (places, decoding):
        each.acquire()

    def free() -> None:
        decoding.release()
        places.release()

    all_refused = Barrier(7, action=free)

    def upload(_: int) -> bool:
        try:
            return bool(reencode(picture()))
        except DecoderBusyError:
            all_refused.wait(60)
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(upload, range(8))) == [False] * 7 + [True]


def test_the_wait_for_the_decoder_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    decoding = Lock()
    monkeypatch.setattr(uploads, "_one_at_a_time", decoding)
    monkeypatch.setattr(uploads, "WAIT_SECONDS", 0.01)
    with decoding, pytest.raises(DecoderBusyError):
        reencode(picture())
    assert reencode(picture())
