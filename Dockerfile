# dowse with a browser, for machines that have Docker and nothing else:
#
#     make docker
#     docker run --rm --volume "$PWD:/work" dowse site https://example.org/ -o example
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.13-slim
# The extras of dowse, and other packages: all but Ray, which deploy/compose.yaml adds.
ARG EXTRAS=article,browser,context,data,documents,excel,mcp,postgres,signing,web
ARG PACKAGES=""
RUN apt-get update && apt-get install --yes --no-install-recommends chromium-headless-shell wget && rm -rf /var/lib/apt/lists/*
COPY --from=build /wheels /wheels
RUN wheel="$(ls /wheels/*.whl)" && pip install --no-cache-dir "$wheel[$EXTRAS]" $PACKAGES && rm -rf /wheels \
    && dowse doctor
# Chromium keeps its sandbox only if it is not started by root.
# A new volume at /work gets the owner that the folder has here. Builders differ in whose it would be else.
RUN useradd --uid 1000 --create-home dowse && mkdir /work && chown dowse:dowse /work
USER dowse
WORKDIR /work
ENTRYPOINT ["dowse"]
CMD ["--help"]
