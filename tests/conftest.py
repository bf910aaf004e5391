"""Compiled rules of tests are kept beside pytest's own cache, not in the user's."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def code_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    folder = request.config.cache.mkdir("zermelo-code")
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERMELO_CACHE", str(folder))
        yield
