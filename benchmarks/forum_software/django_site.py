"""What the forums for Django have in common: settings, tables, users, and a server on loopback.

    FORUM_FOLDER=... FORUM_PORT=... python -m benchmarks.forum_software.NAME

runs in the environment of the forum. The folder holds content.json; truth.json is written to it, then it is served.
"""

from __future__ import annotations

import atexit
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from unittest import mock

from benchmarks.forum_software.content import Content, Post, Thread, read
from benchmarks.forum_software.place import BASE, FOLDER, PORT

__all__ = ["BASE", "FOLDER", "PORT"]

urlpatterns: list[object] = []
"""What the site shows; every forum adds its own."""
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.sites",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
]
PROCESSORS = [
    "django.template.context_processors.debug",
    "django.template.context_processors.request",
    "django.template.context_processors.i18n",
    "django.template.context_processors.static",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]


def configure(apps: list[str], templates: Sequence[str | Path] = (), **settings: object) -> None:
    """Set Django up; `settings` are those of the forum. Templates of `FOLDER/templates` go first."""
    from django.conf import settings as django_settings

    processors = [*PROCESSORS, *settings.pop("processors", [])]
    middleware = [*MIDDLEWARE, *settings.pop("middleware", [])]
    options = {"context_processors": processors}
    engine = {"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": options}
    defaults = {
        "SECRET_KEY": "for a benchmark",
        "DEBUG": False,
        "ALLOWED_HOSTS": ["*"],
        "SITE_ID": 1,
        "USE_TZ": True,
        "USE_I18N": True,
        "TIME_ZONE": "UTC",
        "LANGUAGE_CODE": "en",
        "INSTALLED_APPS": APPS + apps,
        "MIDDLEWARE": middleware,
        "ROOT_URLCONF": __name__,
        "TEMPLATES": [engine | {"DIRS": [FOLDER / "templates", *templates], "APP_DIRS": True}],
        "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(FOLDER / "forum.sqlite")}},
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "STATIC_URL": "/static/",
        "STATIC_ROOT": FOLDER / "static",
        "MEDIA_URL": "/media/",
        "MEDIA_ROOT": FOLDER / "media",
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "LOGIN_URL": "/login/",
    }
    django_settings.configure(**{**defaults, **settings})
    import django

    django.setup()


def content() -> Content:
    return read(FOLDER / "content.json")


def migrate() -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)


def users(told: Content) -> dict[str, object]:
    """An account for everyone who writes."""
    from django.contrib.auth import get_user_model

    model = get_user_model()
    made = {}
    for user in told.users:
        account = model(username=user.name, email=f"{user.name}@example.org", date_joined=user.joined)
        account.set_unusable_password()
        account.save()
        made[user.name] = account
    return made


def in_order(told: Content) -> list[tuple[Thread, int, Post]]:
    """All posts as they were written, each with its thread and its place there: forums count what is new."""
    posts = [(thread, place, post) for thread in told.threads for place, post in enumerate(thread.posts)]
    return sorted(posts, key=lambda told: told[2].time)


@contextmanager
def at(time: datetime) -> Iterator[None]:
    """What Django writes down in here, it writes down at that time."""
    with mock.patch("django.utils.timezone.now", return_value=time):
        yield


def login_page() -> None:
    """The page to log in, for forums that leave it to the site they are part of."""
    place = FOLDER / "templates" / "registration"
    place.mkdir(parents=True, exist_ok=True)
    form = '<form method="post">{% csrf_token %}{{ form.as_p }}<button>Log in</button></form>'
    (place / "login.html").write_text(f"<title>Log in</title><h1>Log in</h1>{form}<a href=/>Home</a>")


def at_end(act: Callable[[], object]) -> None:
    """Act when the server is told to end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    atexit.register(act)


def wait_for(there: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not there() and time.monotonic() < end:
        time.sleep(0.1)


def serve() -> None:
    from django.core.wsgi import get_wsgi_application
    from waitress import serve as answer

    answer(get_wsgi_application(), host="127.0.0.1", port=PORT, threads=4)
