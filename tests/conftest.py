"""What all tests share: where compiled rules are kept, that no test depends on how fast the machine is, and Ctrl-C."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it runs in the background deaf to Ctrl-C, and tests of it would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def code_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compiled rules of tests are kept beside pytest's own cache, not in the user's."""
    folder = request.config.cache.mkdir("zermelo-code")
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERMELO_CACHE", str(folder))
        yield
