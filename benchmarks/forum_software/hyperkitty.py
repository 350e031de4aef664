"""HyperKitty, the archive of Mailman 3: lists with a page for each month, threads on one page, profiles, feeds.

Robots get the replies of a thread with its page, all others by a script; its list of robots is told of this one.
"""

from __future__ import annotations

import email
import email.policy
import re
from dataclasses import replace

from benchmarks.forum_software import django_site as site
from benchmarks.forum_software.content import Content, Thread
from benchmarks.forum_software.mails import identifier, list_name, message
from benchmarks.forum_software.truth import Truth, View

VIEWS = (
    View("index", r"/"),
    View("index", r"/list/([^/@]+@[^/@]+)/(latest|recent-activity)?"),
    View("index", r"/list/([^/@]+@[^/@]+)/(\d{4})/(\d\d?)/(?:(\d\d?)/)?"),
    View("thread", r"/list/[^/@]+@[^/@]+/thread/(?P<id>\w+)/"),
)
_APPS = (
    "hyperkitty django_mailman3 django.contrib.admin rest_framework django_gravatar compressor haystack"
    " django_extensions django_q allauth allauth.account allauth.socialaccount"
)


def main() -> None:
    import robot_detection

    robot_detection.robot_useragents.append(re.compile("dowse"))
    site.configure(
        _APPS.split(),
        processors=["django_mailman3.context_processors.common", "hyperkitty.context_processors.common"],
        middleware=["allauth.account.middleware.AccountMiddleware"],
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
        HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
        Q_CLUSTER={"timeout": 300, "retry": 360, "orm": "default", "sync": True},
        COMPRESS_ENABLED=False,
        COMPRESS_PRECOMPILERS=(),
        LOGIN_URL="account_login",
        LOGOUT_URL="account_logout",
        LOGIN_REDIRECT_URL="hk_root",
        MAILMAN_REST_API_URL="http://127.0.0.1:1",
        MAILMAN_REST_API_USER="",
        MAILMAN_REST_API_PASS="",
        HYPERKITTY_BATCH_MODE=True,
    )
    from django.contrib import admin
    from django.urls import include, path

    site.urlpatterns += [
        path("accounts/", include("allauth.urls")),
        path("admin/", admin.site.urls),
        path("", include("django_mailman3.urls")),
        path("", include("hyperkitty.urls")),
    ]
    site.migrate()
    load(site.content())
    site.serve()


def load(told: Content) -> None:
    from django.db import transaction
    from hyperkitty.lib.analysis import compute_thread_order_and_depth
    from hyperkitty.lib.incoming import add_to_list
    from hyperkitty.models import Email, MailingList
    from hyperkitty.models import Thread as Shown

    with transaction.atomic():
        for number, board in enumerate(told.boards):
            if board.parent is not None:
                name, described = address(told, number), board.description
                MailingList.objects.create(name=name, display_name=board.name, description=described)
        for thread, place, post in site.in_order(told):
            mail = email.message_from_bytes(bytes(message(thread, place, post)), policy=email.policy.default)
            add_to_list(address(told, thread.board), mail, from_import=True)
        for shown in Shown.objects.all():
            compute_thread_order_and_depth(shown)
    truth = Truth("hyperkitty", f"{site.BASE}/", "minute", VIEWS)
    truth.add_boards(told, lambda number: f"{site.BASE}/list/{address(told, number)}/")
    truth.boards = [board for board in truth.boards if board["parent"] is not None]
    for thread in told.threads:
        first = Email.objects.get(message_id=identifier(thread, 0))
        url = f"{site.BASE}/list/{address(told, thread.board)}/thread/{first.thread.thread_id}/"
        truth.add_thread(told, _as_shown(thread, first.thread), [url])
    truth.write(site.FOLDER / "truth.json")


def address(told: Content, board: int) -> str:
    return f"{list_name(told, board)}@lists.example.org"


def _as_shown(thread: Thread, made: object) -> Thread:
    """The thread with its posts in the order of its page: an answer follows what it answers."""
    places = {identifier(thread, place): post for place, post in enumerate(thread.posts)}
    mails = made.emails.order_by("thread_order")  # type: ignore[attr-defined]
    return replace(thread, posts=tuple(places[mail.message_id] for mail in mails))


if __name__ == "__main__":
    main()
