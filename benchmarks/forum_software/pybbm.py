"""pybbm: categories, boards and sub-boards, pinned and closed topics, BBCode, profiles with signatures, feeds."""

from __future__ import annotations

import inspect

from benchmarks.forum_software import django_site as site
from benchmarks.forum_software.content import Content
from benchmarks.forum_software.markup import bbcode
from benchmarks.forum_software.truth import Truth, View, paged, pages

VIEWS = (
    View("index", r"/"),
    View("index", r"/(category|forum)/(?P<id>\d+)/"),
    View("index", r"/topic/latest/"),
    View("thread", r"/topic/(?P<id>\d+)/"),
)
_PAGE = 10


def main() -> None:
    inspect.getargspec = inspect.getfullargspec  # it was written for a Python that still had it
    site.configure(
        ["django.contrib.admin", "pybb"],
        processors=["pybb.context_processors.processor"],
        middleware=["pybb.middleware.PybbMiddleware"],
        PYBB_TEMPLATE="base.html",
        LOGIN_URL="/accounts/login/",
    )
    from django.contrib.auth.views import LoginView
    from django.urls import include, path

    site.urlpatterns += [
        path("accounts/", include("django.contrib.auth.urls")),
        path("accounts/login/", LoginView.as_view(), name="auth_login"),
        path("accounts/register/", _nothing, name="registration_register"),
        path("", include("pybb.urls", namespace="pybb")),
    ]
    site.login_page()
    (site.FOLDER / "templates" / "base.html").write_text(_FRAME)
    site.migrate()
    load(site.content())
    site.serve()


_FRAME = """<!DOCTYPE html><html><head><title>{% block title %}{% endblock %}</title>
{% block extra_meta %}{% endblock %}</head>
<body><div class="navbar"><ul><li><a href="/">Forum</a></li><li><a href="{% url 'pybb:topic_latest' %}">Latest</a></li>
<li><a href="{% url 'login' %}?next={{ request.path }}">Log in</a></li></ul></div>
<div class="container">{% block breadcrumb %}{% endblock %}{% block content %}{% endblock %}</div></body></html>"""
"""The page around the forum: pybbm leaves it to the site."""


def _nothing(_request: object) -> object:
    from django.http import HttpResponse

    return HttpResponse("<title>Register</title><p>Nobody can register here.")


def load(told: Content) -> None:
    from django.db import transaction
    from pybb.models import Category, Forum, Post, Topic

    users, topics, boards = site.users(told), {}, []
    with transaction.atomic():
        for number, board in enumerate(told.boards):
            if board.parent is None:
                boards.append(Category.objects.create(name=board.name, position=number, slug=f"c{number}"))
                continue
            above = boards[board.parent]
            inside = (
                {"category": above} if isinstance(above, Category) else {"category": above.category, "parent": above}
            )
            made = Forum(name=board.name, description=board.description, position=number, slug=f"f{number}", **inside)
            made.save()
            boards.append(made)
        for thread, place, post in site.in_order(told):
            with site.at(post.time):
                if not place:
                    topic = Topic(forum=boards[thread.board], name=thread.title, user=users[post.author])
                    topic.sticky, topic.closed, topic.created = thread.sticky, thread.locked, post.time
                    topic.slug = f"t{len(topics)}"
                    topic.save()
                    topics[thread.title] = topic
                Post(topic=topics[thread.title], user=users[post.author], body=bbcode(post), user_ip="127.0.0.1").save()
        _sign(told, users)
    truth = Truth("pybbm", f"{site.BASE}/", "minute", VIEWS)
    truth.add_boards(told, lambda n: f"{site.BASE}/{type(boards[n]).__name__.lower()}/{boards[n].pk}/")
    for thread in told.threads:
        url = f"{site.BASE}/topic/{topics[thread.title].pk}/"
        truth.add_thread(told, thread, paged(url, pages(len(thread.posts), _PAGE)))
    truth.write(site.FOLDER / "truth.json")


def _sign(told: Content, users: dict[str, object]) -> None:
    """Every third user has a signature below all posts."""
    from pybb.models import Profile

    for user in told.users[::3]:
        profile, _ = Profile.objects.get_or_create(user=users[user.name])
        profile.signature = user.about[:60]
        profile.save()


if __name__ == "__main__":
    main()
