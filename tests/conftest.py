"""What all tests share: where compiled rules are kept, and that no test depends on how fast the machine is."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(autouse=True, scope="session")
def code_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compiled rules of tests are kept beside pytest's own cache, not in the user's."""
    folder = request.config.cache.mkdir("zermelo-code")
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERMELO_CACHE", str(folder))
        yield
