"""FlaskBB: categories and boards without sub-boards, topics, Markdown, profiles, a post by its number, raw views."""

from __future__ import annotations

import collections
import collections.abc
from unittest import mock

from benchmarks.forum_software.content import Content, read
from benchmarks.forum_software.django_site import in_order
from benchmarks.forum_software.markup import markdown
from benchmarks.forum_software.place import BASE, FOLDER, PORT
from benchmarks.forum_software.truth import Truth, View, paged, pages

VIEWS = (
    View("index", r"/"),
    View("index", r"/(category|forum)/(?P<id>\d+)(?:-[^/]*)?"),
    View("thread", r"/topic/(?P<id>\d+)(?:-[^/]*)?"),
)
_PAGE = 10


def main() -> None:
    for name in ("Callable", "Hashable", "Iterable", "Mapping", "MutableMapping", "MutableSet", "Sequence"):
        setattr(collections, name, getattr(collections.abc, name))  # it was written for a Python that still had them
    from flaskbb import create_app
    from flaskbb.configs.default import DefaultConfig
    from flaskbb.extensions import db
    from flaskbb.utils.populate import create_default_groups, create_default_settings
    from waitress import serve

    class Settings(DefaultConfig):
        SQLALCHEMY_DATABASE_URI = f"sqlite:///{FOLDER / 'forum.sqlite'}"
        WHOOSHEE_DIR = str(FOLDER / "search")
        USE_DEFAULT_LOGGING = False
        RATELIMIT_ENABLED = False

    app = create_app(Settings)
    with app.test_request_context(base_url=BASE):
        db.create_all()
        create_default_groups()
        create_default_settings()
        load(read(FOLDER / "content.json"))
    serve(app, host="127.0.0.1", port=PORT, threads=4)


def load(told: Content) -> None:
    from flaskbb.forum.models import Category, Forum, Post, Topic
    from flaskbb.user.models import Group, User

    members = Group.query.filter_by(name="Member").one()
    users = {}
    for user in told.users:
        account = User(username=user.name, email=f"{user.name}@example.org", password="none", activated=True)
        account.date_joined, account.primary_group_id, account.signature = user.joined, members.id, user.about[:60]
        users[user.name] = account.save()
    boards: list[object] = []
    for number, board in enumerate(told.boards):
        if board.parent is None:
            boards.append(Category(title=board.name, position=number).save())
            continue
        above = boards[board.parent]
        category = above.id if isinstance(above, Category) else above.category_id
        made = Forum(title=board.name, description=board.description, position=number, category_id=category)
        boards.append(made.save())
    topics: dict[str, object] = {}
    for thread, place, post in in_order(told):
        with mock.patch("flaskbb.forum.models.time_utcnow", return_value=post.time):
            written = Post(content=markdown(post))
            if place:
                written.save(user=users[post.author], topic=topics[thread.title])
            else:
                topic = Topic(title=thread.title)
                topic.important, topic.locked = thread.sticky, thread.locked
                topic.save(user=users[post.author], forum=boards[thread.board], post=written)
                topics[thread.title] = topic
    truth = Truth("flaskbb", f"{BASE}/", "minute", VIEWS)
    truth.add_boards(told, lambda number: BASE + boards[number].url)
    for thread in told.threads:
        url = BASE + topics[thread.title].url
        truth.add_thread(told, thread, paged(url, pages(len(thread.posts), _PAGE)))
    truth.write(FOLDER / "truth.json")


if __name__ == "__main__":
    main()
