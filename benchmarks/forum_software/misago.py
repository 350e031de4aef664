"""Misago: categories of any depth in one list of threads, pinned and closed threads, profiles, search, many scripts.

It needs PostgreSQL, which must be installed; a server of its own runs in the folder, on a socket.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

from benchmarks.forum_software import django_site as site
from benchmarks.forum_software.content import Content
from benchmarks.forum_software.markup import markdown
from benchmarks.forum_software.truth import Truth, View

VIEWS = (
    View("index", r"/", "start"),
    View("index", r"/categories/"),
    View("index", r"/c/[^/]+/(?P<id>\d+)/", "start"),
    View("thread", r"/t/[^/]+/(?P<id>\d+)/(?:(?P<page>\d+)/)?"),
)
_PAGE, _ORPHANS = 18, 6
"""Posts of a page; fewer than so many on the last go to the page before."""
_MIDDLEWARE = (
    "users.middleware.RealIPMiddleware core.middleware.FrontendContextMiddleware"
    " cache.middleware.cache_versions_middleware conf.middleware.dynamic_settings_middleware"
    " socialauth.middleware.socialauth_providers_middleware users.middleware.UserMiddleware"
    " acl.middleware.user_acl_middleware core.middleware.ExceptionHandlerMiddleware"
    " users.middleware.OnlineTrackerMiddleware admin.middleware.AdminAuthMiddleware"
    " threads.middleware.UnreadThreadsCountMiddleware"
)


def main() -> None:
    from misago import settings as delivered

    database = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "postgres",
        "USER": "forum",
        "HOST": database_server(),
    }
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    site.configure(
        [],
        INSTALLED_APPS=delivered.INSTALLED_APPS,
        INSTALLED_PLUGINS=[],
        processors=delivered.TEMPLATE_CONTEXT_PROCESSORS,
        middleware=[f"misago.{name}" for name in _MIDDLEWARE.split()],
        DATABASES={"default": database},
        CACHES={"default": memory},
        AUTH_USER_MODEL="misago_users.User",
        AUTHENTICATION_BACKENDS=["misago.users.authbackends.MisagoBackend"],
        CSRF_FAILURE_VIEW="misago.core.errorpages.csrf_failure",
        LOGIN_URL="misago:login",
        LOGOUT_URL="misago:logout",
        LOGIN_REDIRECT_URL="misago:index",
        INTERNAL_IPS=[],
        MISAGO_ADDRESS=f"{site.BASE}/",
        MISAGO_NOTIFICATIONS_RETRY_DELAY=5,
        DEBUG_TOOLBAR_PANELS=[],
        MISAGO_AVATAR_GALLERY=None,
        MISAGO_ATTACHMENTS_SERVER=None,
        CELERY_BROKER_URL="memory://",
    )
    from django.urls import include, path
    from django.views.i18n import JavaScriptCatalog

    site.urlpatterns += [
        path("", include("misago.urls", namespace="misago")),
        path("django-i18n.js", JavaScriptCatalog.as_view(), name="django-i18n"),
    ]
    site.migrate()
    load(site.content())
    site.serve()


def database_server() -> str:
    """Start PostgreSQL, as another user if this is root, for it refuses that one; the folder of its socket."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin"), Path(shutil.which("initdb") or "/nowhere/initdb").parent]
    place = Path(subprocess.check_output(["mktemp", "-d", "/tmp/forum-db-XXXXXX"], text=True).strip())
    account = {"user": "postgres"} if os.geteuid() == 0 else {}
    if account:
        shutil.chown(place, "postgres")
    data = str(place / "data")
    made = [found[0] / "initdb", "-D", data, "-U", "forum", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale"]
    subprocess.run(made, check=True, capture_output=True, cwd="/", **account)
    started = [found[0] / "postgres", "-D", data, "-k", str(place), "-c", "listen_addresses=", "-c", "fsync=off"]
    server = subprocess.Popen(started, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **account)

    def stop() -> None:
        server.send_signal(signal.SIGINT)
        server.wait()
        shutil.rmtree(place, ignore_errors=True)

    site.at_end(stop)
    site.wait_for((place / ".s.PGSQL.5432").exists)
    return str(place)


def load(told: Content) -> None:
    from django.contrib.auth import get_user_model
    from django.core.cache import cache
    from django.db import transaction
    from misago.acl.cache import clear_acl_cache
    from misago.categories.models import Category
    from misago.threads.checksums import update_post_checksum
    from misago.threads.models import Post, Thread

    users = {
        user.name: get_user_model().objects.create_user(
            user.name, f"{user.name}@example.org", "secret word", joined_on=user.joined
        )
        for user in told.users
    }
    pictures = [{"size": size, "url": f"/media/{size}.png"} for size in (400, 200, 150, 100, 64, 50, 30, 20)]
    get_user_model().objects.update(avatars=pictures)
    threads, boards = {}, _boards(told)
    with transaction.atomic():
        for thread in told.threads:
            category, first = boards[thread.board], thread.posts[0]
            made = Thread(category=category, started_on=first.time, last_post_on=first.time, is_closed=thread.locked)
            made.starter_name = made.starter_slug = made.last_poster_name = made.last_poster_slug = "-"
            made.weight = 1 if thread.sticky else 0
            made.set_title(thread.title)
            made.slug = made.slug or "thread"
            made.save()
            for post in thread.posts:
                author, (original, parsed) = users[post.author], _parsed(markdown(post))
                message = Post.objects.create(
                    category=category, thread=made, poster=author, poster_name=author.username, original=original,
                    parsed=parsed, posted_on=post.time, updated_on=post.time,
                )  # fmt: skip
                update_post_checksum(message)
                message.save(update_fields=["checksum"])
            made.synchronize()
            made.save()
            threads[thread.title] = made
        for category in Category.objects.all():
            category.synchronize()
            category.save()
    clear_acl_cache()
    cache.clear()  # the tree of categories, and who may see them
    truth = Truth("misago", f"{site.BASE}/", "second", VIEWS)
    truth.add_boards(told, lambda number: f"{site.BASE}/c/{boards[number].slug}/{boards[number].pk}/")
    for thread in told.threads:
        url = f"{site.BASE}/t/{threads[thread.title].slug}/{threads[thread.title].pk}/"
        number = max(1, -(-(len(thread.posts) - _ORPHANS) // _PAGE))
        truth.add_thread(told, thread, [url, *(f"{url}{page}/" for page in range(2, number + 1))])
    truth.write(site.FOLDER / "truth.json")


def _boards(told: Content) -> list[object]:
    """Categories below Misago's root, which everyone may see as they may see the first one of Misago itself."""
    from misago.categories.models import Category, RoleCategoryACL

    root, first = Category.objects.root_category(), Category.objects.get(slug="first-category")
    boards = []
    for board in told.boards:
        made = Category(name=board.name, description=board.description)
        made.set_name(board.name)
        made.slug = made.slug or "category"
        above = root if board.parent is None else boards[board.parent]
        made.insert_at(Category.objects.get(pk=above.pk), position="last-child", save=True)
        boards.append(made)
        for role in RoleCategoryACL.objects.filter(category=first):
            RoleCategoryACL.objects.create(role_id=role.role_id, category=made, category_role_id=role.category_role_id)
    return boards


def _parsed(text: str) -> tuple[str, str]:
    """A post as Misago's own parser shows it."""
    from django.contrib.auth import get_user_model
    from django.test import RequestFactory
    from misago.markup import common_flavour

    request = RequestFactory(HTTP_HOST=f"127.0.0.1:{site.PORT}").get("/")
    request.user = get_user_model()()
    result = common_flavour(request, None, text, allow_mentions=False)
    return result["original_text"], result["parsed_text"]


if __name__ == "__main__":
    main()
