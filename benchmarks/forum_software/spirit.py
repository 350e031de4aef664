"""Spirit: categories and sub-categories, pinned and closed topics, Markdown, profiles, search, relative times."""

from __future__ import annotations

from benchmarks.forum_software import django_site as site
from benchmarks.forum_software.content import Content
from benchmarks.forum_software.markup import markdown
from benchmarks.forum_software.truth import Truth, View, paged, pages

VIEWS = (
    View("index", r"/"),
    View("index", r"/category/"),
    View("index", r"/category/(?P<id>\d+)/[^/]+/"),
    View("index", r"/topic/active/"),
    View("thread", r"/topic/(?P<id>\d+)/(?:[^/]+/)?"),
)
PARTS = (
    "core admin search user user.admin user.auth category"
    " category.admin topic topic.admin topic.favorite topic.moderate topic.notification topic.private"
    " topic.unread comment comment.bookmark comment.flag comment.flag.admin comment.history comment.like comment.poll"
)
_MIDDLEWARE = (
    "spirit.user.middleware.TimezoneMiddleware spirit.user.middleware.LastIPMiddleware"
    " spirit.user.middleware.LastSeenMiddleware spirit.user.middleware.ActiveUserMiddleware"
    " spirit.core.middleware.PrivateForumMiddleware djconfig.middleware.DjConfigMiddleware"
)
_PAGE = 20


def main() -> None:
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    search = {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": str(site.FOLDER / "search")}
    site.configure(
        ["django.contrib.admin", *(f"spirit.{part}" for part in PARTS.split()), "djconfig", "haystack"],
        processors=["djconfig.context_processors.config"],
        middleware=_MIDDLEWARE.split(),
        CACHES={"default": memory, "st_rate_limit": memory},
        HAYSTACK_CONNECTIONS={"default": search},
        LOGIN_URL="spirit:user:auth:login",
        LOGIN_REDIRECT_URL="spirit:user:update",
        LOGOUT_REDIRECT_URL="spirit:index",
        ST_SITE_URL=f"{site.BASE}/",
        ST_TASK_MANAGER=None,
    )
    import spirit.urls
    from django.urls import include, path

    site.urlpatterns += [path("", include(spirit.urls))]
    site.migrate()
    load(site.content())
    site.serve()


def load(told: Content) -> None:
    from django.db import transaction
    from spirit.category.models import Category
    from spirit.comment.models import Comment
    from spirit.core.utils.markdown import Markdown
    from spirit.topic.models import Topic

    users, boards, topics = site.users(told), [], {}
    with transaction.atomic():
        for number, board in enumerate(told.boards):
            above = None if board.parent is None else boards[board.parent]
            above = above.parent or above if above else None  # it knows two levels, and hides what is below
            made = Category(title=board.name, description=board.description, parent=above, sort=number)
            made.save()
            boards.append(made)
        for thread in told.threads:
            first, last = thread.posts[0], thread.posts[-1]
            topic = Topic(user=users[first.author], category=boards[thread.board], title=thread.title, date=first.time)
            topic.last_active, topic.is_pinned, topic.is_closed = last.time, thread.sticky, thread.locked
            topic.comment_count = len(thread.posts)
            topic.save()
            topics[thread.title] = topic
        for thread, _, post in site.in_order(told):
            text = markdown(post)
            shown = Markdown().render(text)
            author = users[post.author]
            Comment(user=author, topic=topics[thread.title], comment=text, comment_html=shown, date=post.time).save()
    truth = Truth("spirit", f"{site.BASE}/", "minute", VIEWS)
    truth.add_boards(told, lambda number: f"{site.BASE}/category/{boards[number].pk}/{boards[number].slug}/")
    for thread in told.threads:
        url = f"{site.BASE}/topic/{topics[thread.title].pk}/{topics[thread.title].slug}/"
        truth.add_thread(told, thread, paged(url, pages(len(thread.posts), _PAGE)))
    truth.write(site.FOLDER / "truth.json")


if __name__ == "__main__":
    main()
