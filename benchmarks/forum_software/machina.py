"""django-machina: categories and boards of any depth, pinned and locked topics, profiles, feeds, search, log-in."""

from __future__ import annotations

from benchmarks.forum_software import django_site as site
from benchmarks.forum_software.content import Content
from benchmarks.forum_software.markup import markdown
from benchmarks.forum_software.truth import Truth, View, paged, pages

VIEWS = (
    View("index", r"/"),
    View("index", r"/forum/[^/]+-(?P<id>\d+)/"),
    View("thread", r"/forum/[^/]+/topic/[^/]+-(?P<id>\d+)/"),
)
PARTS = (
    "forum forum_conversation forum_conversation.forum_attachments forum_conversation.forum_polls forum_feeds"
    " forum_moderation forum_search forum_tracking forum_member forum_permission"
)
_PAGE = 15


def main() -> None:
    import machina

    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    site.configure(
        ["mptt", "haystack", "widget_tweaks", "machina", *(f"machina.apps.{part}" for part in PARTS.split())],
        [machina.MACHINA_MAIN_TEMPLATE_DIR],
        processors=["machina.core.context_processors.metadata"],
        middleware=["machina.apps.forum_permission.middleware.ForumPermissionMiddleware"],
        CACHES={"default": memory, "machina_attachments": memory},
        HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    )
    from django.urls import include, path

    site.urlpatterns += [path("accounts/", include("django.contrib.auth.urls")), path("", include("machina.urls"))]
    site.login_page()
    site.migrate()
    load(site.content())
    site.serve()


def load(told: Content) -> None:
    from django.db import transaction
    from machina.core.db.models import get_model

    forum, topic, message = (
        get_model(app, name)
        for app, name in (("forum", "Forum"), ("forum_conversation", "Topic"), ("forum_conversation", "Post"))
    )
    users, topics, boards = site.users(told), {}, []
    with transaction.atomic():
        for board in told.boards:
            kind = forum.FORUM_CAT if board.parent is None else forum.FORUM_POST
            above = None if board.parent is None else forum.objects.get(pk=boards[board.parent].pk)
            boards.append(forum.objects.create(name=board.name, parent=above, type=kind, description=board.description))
        permit()
        for thread, place, post in site.in_order(told):
            author = users[post.author]
            with site.at(post.time):
                if not place:
                    topics[thread.title] = topic.objects.create(
                        forum_id=boards[thread.board].pk,
                        poster=author,
                        subject=thread.title,
                        type=topic.TOPIC_STICKY if thread.sticky else topic.TOPIC_POST,
                        status=topic.TOPIC_LOCKED if thread.locked else topic.TOPIC_UNLOCKED,
                    )
                subject = "Re: " * bool(place) + thread.title
                message.objects.create(
                    topic=topics[thread.title], poster=author, subject=subject, content=markdown(post)
                )
    truth = Truth("machina", f"{site.BASE}/", "minute", VIEWS)
    truth.add_boards(told, lambda number: f"{site.BASE}/forum/{boards[number].slug}-{boards[number].pk}/")
    for thread in told.threads:
        made, board = topics[thread.title], boards[thread.board]
        url = f"{site.BASE}/forum/{board.slug}-{board.pk}/topic/{made.slug}-{made.pk}/"
        truth.add_thread(told, thread, paged(url, pages(len(thread.posts), _PAGE)))
    truth.write(site.FOLDER / "truth.json")


def permit() -> None:
    """Everyone may read, and who is logged in may write."""
    from django.contrib.auth.models import AnonymousUser
    from machina.apps.forum_permission.shortcuts import ALL_AUTHENTICATED_USERS, assign_perm

    for who in (AnonymousUser(), ALL_AUTHENTICATED_USERS):
        for right in ("can_see_forum", "can_read_forum"):
            assign_perm(right, who)
    for right in ("can_start_new_topics", "can_reply_to_topics"):
        assign_perm(right, ALL_AUTHENTICATED_USERS)


if __name__ == "__main__":
    main()
