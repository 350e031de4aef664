"""Page to verdict: each way of crawling is one small strategy over the same engine. Pure."""
