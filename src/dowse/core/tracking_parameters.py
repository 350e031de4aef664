"""Query parameters that say who clicked where, and never which page is meant."""

TRACKING_PARAMETERS = (
    # campaign tags
    "utm_*", "mtm_*", "pk_*", "hsa_*", "_hsenc", "_hsmi", "mc_cid", "mc_eid", "mkt_tok", "cmpid",
    # click ids of the advertisement networks
    "gclid", "gclsrc", "gbraid", "wbraid", "dclid", "fbclid", "msclkid", "yclid", "ttclid", "twclid", "igshid",
    "li_fat_id", "_ga", "_gl",
    # session ids, by names that servers make up
    "phpsessid", "jsessionid", "aspsessionid*", "cfid", "cftoken", "zenid", "oscsid",
    # names of session ids that authors use for stories, sections and talks as well: the value has to look like one
    "sessionid=session", "session_id=session", "sid=session",
)  # fmt: skip
