BEGIN TRANSACTION;
CREATE TABLE alike (
    kind   TEXT NOT NULL,                  -- core.variants.Alike
    place  TEXT NOT NULL,
    name   TEXT NOT NULL,
    broken INTEGER NOT NULL,               -- 1: a page it would have skipped was different after all
    PRIMARY KEY (kind, place, name)
) WITHOUT ROWID;
CREATE TABLE file (
    task   INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,                  -- with slashes between folders
    folded TEXT NOT NULL UNIQUE            -- without its case
);
CREATE TABLE fingerprint (
    task      INTEGER PRIMARY KEY,
    signature INTEGER NOT NULL,            -- core.near.Fingerprint
    title     INTEGER NOT NULL,
    words     INTEGER NOT NULL,
    sketch    BLOB NOT NULL,
    links     INTEGER NOT NULL,
    link_sketch BLOB NOT NULL
);
CREATE TABLE host (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    pages      INTEGER NOT NULL DEFAULT 0,
    politeness TEXT NOT NULL               -- JSON of core.politeness.HostState
);
INSERT INTO "host" VALUES(1,'a.example',3,'{"not_before":1800000001.0,"last_request":1800000001.0,"previous_request":1800000001.0,"blocked_until":0.0,"latency":0.25,"crawl_delay":0.0,"backoff":0.0,"good_answers":0,"failures":0}');
CREATE TABLE instruction (
    task        INTEGER PRIMARY KEY,
    instruction TEXT NOT NULL,             -- JSON of core.rules.Instruction
    matches     TEXT NOT NULL              -- JSON: [[row of the rule, links matched], ...]
);
CREATE TABLE judgement (
    id        INTEGER PRIMARY KEY,         -- in the order pages came home
    task      INTEGER NOT NULL UNIQUE,
    relevance REAL NOT NULL,
    parts     TEXT NOT NULL,               -- JSON: of the relevance
    worth     TEXT NOT NULL,               -- JSON: the parts of its priority when it was taken
    evidence  BLOB NOT NULL                -- see strategies/evidence.py
);
CREATE TABLE kept (
    id        INTEGER PRIMARY KEY,
    task      INTEGER NOT NULL,            -- the link
    base      TEXT NOT NULL,
    rule      INTEGER NOT NULL,            -- row of the rule that kept it first
    source    INTEGER NOT NULL,            -- the task it was found on
    from_type TEXT NOT NULL,               -- the type of that page
    anchor    TEXT NOT NULL,
    UNIQUE (task, base)
);
CREATE TABLE lead (
    task     INTEGER PRIMARY KEY,
    evidence BLOB NOT NULL                 -- see strategies/evidence.py
);
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "meta" VALUES('job','{"seeds":["http://a.example/"],"output":"a.example","strategy":{"strategy":"site","order":"breadth"},"limits":{"max_pages":0,"max_time":0.0,"depth":-1},"scope":{"scope":"host","include":[],"exclude":[],"skip_extensions":[],"media_types":["text/html","application/xhtml+xml","application/xml","text/xml","application/rss+xml","application/atom+xml","text/plain"],"url_length":2000,"path_segments":32,"path_repeats":3,"parameters":12,"parameter_sets":64,"parameter_combinations":500,"chain":100,"host_pages":0},"politeness":{"delay":0.0,"per_host":4,"robots":"obey","sitemaps":true,"retries":0},"fetch":{"fetch":"http","page_time":5.0,"ready":"","step":[],"explore":0,"capture":"off","profile":"","signed_in":"","images":false,"tabs":8,"concurrency":64,"workers":1,"timeout":30.0,"connect_timeout":10.0,"read_timeout":15.0,"max_body":20000000,"max_redirects":10,"user_agent":"","header":[],"cookies":true,"auth":"","proxy":"","verify_tls":true,"bodies":true,"allow_private":false},"dedup":{"dedup":"exact","checksum":"xxh3"},"extract":{"extract":[],"exclude_from":[],"article":false,"data":false,"tables":false,"lists":false,"on":[]},"urls":{"drop_parameters":["utm_*","mtm_*","pk_*","hsa_*","_hsenc","_hsmi","mc_cid","mc_eid","mkt_tok","cmpid","gclid","gclsrc","gbraid","wbraid","dclid","fbclid","msclkid","yclid","ttclid","twclid","igshid","li_fat_id","_ga","_gl","phpsessid","jsessionid","aspsessionid*","cfid","cftoken","sessionid","session_id","sid","zenid","oscsid"],"keep_parameters":[],"sort_query":false,"alias_www":false,"alias_scheme":false}}');
INSERT INTO "meta" VALUES('keys','1');
INSERT INTO "meta" VALUES('schema','7');
INSERT INTO "meta" VALUES('started_at','1800000000.0');
INSERT INTO "meta" VALUES('stop_reason','complete');
INSERT INTO "meta" VALUES('stopped_at','1800000002.0');
CREATE TABLE model (
    name  TEXT PRIMARY KEY,
    state BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE page_type (
    id        INTEGER PRIMARY KEY,
    task      INTEGER NOT NULL,
    base      TEXT NOT NULL,
    name      TEXT NOT NULL,
    rule      INTEGER NOT NULL,            -- row of the rule; 0 for a base URL and for where a redirect led
    listed    INTEGER NOT NULL,            -- whether it is in the follow list: a rule said so and nothing refused it
    source    INTEGER NOT NULL,            -- the task it was found on, 0 for a base URL
    from_type TEXT NOT NULL,               -- the type of that page
    anchor    TEXT NOT NULL,
    applied   INTEGER NOT NULL DEFAULT 0,  -- 1: yes; 0: when the page comes; 2: to the stored page, soon
    UNIQUE (task, base, name)
);
CREATE TABLE record (
    id     INTEGER PRIMARY KEY,
    task   INTEGER NOT NULL,               -- the page it is from
    kind   TEXT NOT NULL,                  -- which extractor made it
    key    TEXT NOT NULL,                  -- tells it from the page's other records of its kind
    fields TEXT NOT NULL,                  -- JSON
    UNIQUE (task, kind, key)
);
INSERT INTO "record" VALUES(1,1,'fields','','{"title":"Home","price":1.5}');
INSERT INTO "record" VALUES(2,2,'fields','','{"title":"One"}');
CREATE TABLE repeated (block INTEGER PRIMARY KEY);
CREATE TABLE rules (number INTEGER PRIMARY KEY, baseURL TEXT NOT NULL DEFAULT '', ruleType TEXT NOT NULL DEFAULT '', fromType TEXT NOT NULL DEFAULT '', toType TEXT NOT NULL DEFAULT '', pattern TEXT NOT NULL DEFAULT '', id TEXT NOT NULL DEFAULT '', class TEXT NOT NULL DEFAULT '', tag TEXT NOT NULL DEFAULT '', filterField TEXT NOT NULL DEFAULT '', filterValue TEXT NOT NULL DEFAULT '');
CREATE TABLE task (
    id         INTEGER PRIMARY KEY,
    key_hash   INTEGER NOT NULL,           -- 64-bit hash of the normal form, signed
    url        TEXT NOT NULL,              -- as it is requested
    key        TEXT,                       -- the normal form where it differs
    host       INTEGER NOT NULL,           -- 0 while out of scope
    site       INTEGER NOT NULL,           -- the host whose walk found it
    label      TEXT NOT NULL,
    depth      INTEGER NOT NULL,
    priority   REAL NOT NULL,
    parent     INTEGER NOT NULL,           -- the task that found it first, 0 for a seed
    anchor     TEXT NOT NULL,
    state      INTEGER NOT NULL,           -- core.model.State
    reason     TEXT NOT NULL,              -- the rule or failure that decided
    redirects  INTEGER NOT NULL DEFAULT 0,
    chain      INTEGER NOT NULL DEFAULT 0,
    attempt    INTEGER NOT NULL DEFAULT 0,
    not_before REAL NOT NULL DEFAULT 0,    -- 0: now; later: a retry
    visit      INTEGER                     -- the last one
);
INSERT INTO "task" VALUES(1,-2761359738066541415,'http://a.example/',NULL,1,1,'',0,0.0,0,'',2,'',0,0,0,0.0,1);
INSERT INTO "task" VALUES(2,-6215747231519040727,'http://a.example/one',NULL,1,1,'',1,0.0,1,'One',2,'',0,0,0,0.0,2);
INSERT INTO "task" VALUES(3,-5580396218860575820,'http://a.example/moved',NULL,1,1,'',1,0.0,1,'Moved',2,'redirect',0,0,0,0.0,3);
INSERT INTO "task" VALUES(4,-7645859337371432511,'http://a.example/copy',NULL,1,1,'',1,0.0,1,'Copy',3,'mirror',0,0,0,0.0,4);
INSERT INTO "task" VALUES(5,-8009809861214367595,'http://a.example/broken',NULL,1,1,'',1,0.0,1,'Broken',6,'http 500',0,0,0,0.0,5);
INSERT INTO "task" VALUES(6,-1561962287724611327,'http://a.example/deep',NULL,0,1,'',1,0.0,1,'Deep',4,'depth 1',0,0,0,0.0,NULL);
INSERT INTO "task" VALUES(7,3697340075380808488,'http://b.example/',NULL,0,1,'',1,0.0,1,'Elsewhere',4,'host',0,0,0,0.0,NULL);
CREATE TABLE variant (
    task     INTEGER PRIMARY KEY,
    original INTEGER NOT NULL              -- the task it is the same as
);
CREATE TABLE visit (
    id            INTEGER PRIMARY KEY,
    task          INTEGER NOT NULL,
    fetched_at    REAL NOT NULL,
    elapsed       REAL NOT NULL,
    status        INTEGER NOT NULL,
    failure       TEXT NOT NULL,
    detail        TEXT NOT NULL,
    media_type    TEXT NOT NULL,
    charset       TEXT NOT NULL,           -- what the page is written in
    declared      TEXT NOT NULL,           -- what it is said to be written in, as it is spelled there
    title         TEXT NOT NULL,
    size          INTEGER NOT NULL,
    digest        INTEGER NOT NULL,
    etag          TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    redirect      INTEGER,                 -- the task the server sent us to
    duplicate_of  INTEGER,                 -- the task that had this content first
    links         TEXT NOT NULL DEFAULT '[]',
    body          TEXT NOT NULL DEFAULT '',  -- where in warc/ the answer is, see core.archive.Location
    rendered      TEXT                     -- JSON of core.rendered.Rendered, if it was
);
INSERT INTO "visit" VALUES(1,1,1800000001.0,0.25,200,'','','text/html','','','Home',100,11,'','',NULL,NULL,'[[2,"One"],[3,"Moved"],[4,"Copy"],[5,"Broken"],[6,"Deep"],[7,"Elsewhere"]]','',NULL);
INSERT INTO "visit" VALUES(2,2,1800000002.0,0.25,200,'','','text/html','','','One',50,12,'','',NULL,NULL,'[[1,"Home"]]','',NULL);
INSERT INTO "visit" VALUES(3,3,1800000002.0,0.25,301,'','','','','','',0,0,'','',2,NULL,'[]','',NULL);
INSERT INTO "visit" VALUES(4,4,1800000002.0,0.25,200,'','','text/html','','','Home',100,11,'','',NULL,1,'[]','',NULL);
INSERT INTO "visit" VALUES(5,5,1800000002.0,0.25,500,'http','500 Internal Server Error','','','','',0,0,'','',NULL,NULL,'[]','',NULL);
CREATE INDEX task_ready ON task (host, priority DESC, id) WHERE state = 0 AND not_before = 0;
CREATE INDEX task_later ON task (not_before) WHERE state = 0 AND not_before > 0;
CREATE INDEX visit_task ON visit (task);
CREATE INDEX variant_original ON variant (original);
CREATE INDEX page_type_due ON page_type (task) WHERE applied = 2;
CREATE VIEW link AS
    SELECT task.id AS source, json_extract(edge.value, '$[0]') AS target, json_extract(edge.value, '$[1]') AS anchor,
           coalesce(json_extract(edge.value, '$[2]'), 0) AS nofollow
    FROM task JOIN visit ON visit.id = task.visit, json_each(visit.links) AS edge;
COMMIT;
