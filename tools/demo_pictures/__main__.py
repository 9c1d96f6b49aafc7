"""Draw the demonstration's pictures: `make pictures`. The same versions of packages give the same bytes."""

from concurrent.futures import ProcessPoolExecutor

from tqdm import tqdm

from tools.demo_pictures.files import PICTURES, all_names, write


def _draw(name: str) -> None:
    (PICTURES / name).write_bytes(write(name))


def main() -> None:
    """Write every picture, and remove those that nothing names any more."""
    names = all_names()
    PICTURES.mkdir(exist_ok=True)
    groups = [name for name in names if name.startswith("category-")]
    with ProcessPoolExecutor() as processes:
        for part in ([name for name in names if name not in groups], groups):
            for _done in tqdm(processes.map(_draw, part, chunksize=4), total=len(part), disable=None):
                pass
    for path in PICTURES.iterdir():
        if path.name not in names:
            path.unlink()


if __name__ == "__main__":
    main()
