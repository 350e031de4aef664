"""The forms of a page: what they ask for, and the request that sending them makes.

    page --form_finding--> Form + Controls --entry_list--> entries --form_encoding--> Submission

Nothing here sends anything. Whether a form may be sent at all is asked elsewhere (classify/refusals.py).
"""
