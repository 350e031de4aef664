"""Static mirrors of boards in the manner of known forum software, with dead links, other languages and charsets."""
