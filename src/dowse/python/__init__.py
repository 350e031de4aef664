"""The Python face: the functions of `dowse` that crawl, their signatures, and the pages of a crawl as a stream."""
