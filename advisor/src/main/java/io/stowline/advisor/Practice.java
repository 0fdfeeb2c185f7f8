package io.stowline.advisor;

import java.net.URI;
import java.util.Objects;

/** The practices of Microsoft's checklists for storage, with the numbers that {@code docs/practices.md} gives them. */
public enum Practice {
    /** Stay below the scalability targets. */
    A1("stay below the scalability targets of the account", Kind.TRAFFIC, "rate-targets.md"),
    /** Choose names that spread load. */
    A2("names that spread load", Kind.TRAFFIC, "blob-tags-and-versions.md#names-that-spread"),
    /** Have enough bandwidth. */
    A3("enough bandwidth of the client", Kind.TRAFFIC, "network-and-place.md#bandwidth"),
    /** Have a good link. */
    A4("a good link", Kind.TRAFFIC, "network-and-place.md#link-quality"),
    /** Run near the account. */
    A5("the client near the account", Kind.TRAFFIC, "network-and-place.md#place"),
    /** Serve public content by a CDN. */
    A6("a CDN for public content", Kind.GUIDE, "network-and-place.md#a-cdn"),
    /** Give signatures to devices. */
    A7("signatures and CORS rules instead of proxying data", Kind.GUIDE, "signatures.md"),
    /** Fetch what has changed. */
    A8("do not fetch what has not changed", Kind.TRAFFIC, "cache.md"),
    /** Aggregate before uploading. */
    A9("aggregate locally, upload in large sets", Kind.TRAFFIC, "blobs.md#append-blobs"),
    /** Have enough connections. */
    A10("enough connections, set before the first one opens", Kind.CLIENT, "network-settings.md#connections-and-dns"),
    /** Have enough threads. */
    A11("enough threads for blocking callers", Kind.CLIENT, "threading.md#threads"),
    /** Run on a current runtime. */
    A12("a current runtime and its collector", Kind.CLIENT, "network-and-place.md#the-jvm-and-its-collector"),
    /** Bound parallelism. */
    A13("bounded parallelism", Kind.TRAFFIC, "retry-and-limits.md#parallelism"),
    /** Use current libraries. */
    A14("current client libraries and a current service version", Kind.CLIENT, "connecting.md#service-version"),
    /** Back off exponentially. */
    A15("exponential back-off", Kind.TRAFFIC, "retry-and-limits.md#back-off"),
    /** Repeat only what can succeed. */
    A16("never retry what cannot succeed", Kind.TRAFFIC, "retry-and-limits.md#what-is-retried"),

    /** Spread the readers of one blob. */
    B1("many clients that read one object", Kind.TRAFFIC, "hot-blobs.md"),
    /** Stay below the limits of one blob. */
    B2("the limits of one blob", Kind.TRAFFIC, "hot-blobs.md#the-limits-of-one-blob"),
    /** Copy within the service. */
    B3("server-side copy instead of download and upload", Kind.TRAFFIC, "blob-copies.md"),
    /** Transfer in parallel. */
    B4("bulk transfer in parallel", Kind.TRAFFIC, "blob-directories.md"),
    /** Ship disks for very large volumes. */
    B5("ship disks for very large volumes", Kind.TRAFFIC, "blob-transfers.md#very-large-volumes"),
    /** Keep small facts in metadata. */
    B6("small facts about a blob in its metadata", Kind.GUIDE, "blobs.md#properties-metadata-and-headers"),
    /** Upload blocks in parallel. */
    B7("the blocks of one large blob in parallel", Kind.TRAFFIC, "blob-transfers.md#uploads-in-blocks"),
    /** Upload several blobs in parallel. */
    B8(
            "several blobs in parallel rather than blocks of one",
            Kind.TRAFFIC,
            "blob-directories.md#parallelism-and-memory"),
    /** Choose the right kind of blob. */
    B9("the right kind of blob", Kind.GUIDE, "which-blob.md"),
    /** Send large blocks. */
    B10("blocks that reach the high-throughput path", Kind.TRAFFIC, "blob-transfers.md#uploads-in-blocks"),

    /** Stay below the targets of tables. */
    T1("targets of account and partition; ramp up slowly", Kind.TRAFFIC, "rate-targets.md"),
    /** Use JSON. */
    T2("JSON at the lightest metadata level that keeps types", Kind.CLIENT, "performance.md"),
    /** Switch Nagle's algorithm off. */
    T3("Nagle off", Kind.CLIENT, "performance.md"),
    /** Keep related data together. */
    T4("related data in one partition", Kind.GUIDE, "related-data.md"),
    /** Avoid keys that rise or fall. */
    T5(
            "no append-only or prepend-only partition keys",
            Kind.TRAFFIC,
            "keys-and-partitions.md#readings-and-logs-which-rise-with-time"),
    /** Avoid a hot partition. */
    T6("no hot partition", Kind.TRAFFIC, "keys-and-partitions.md#partitions-and-ranges"),
    /** Read by keys. */
    T7("point query, then row range, then partition, then scan", Kind.TRAFFIC, "queries.md#query-classes"),
    /** Query densely. */
    T8("query density: returned against scanned", Kind.TRAFFIC, "key-costs.md#density"),
    /** Filter in the service. */
    T9("filter on the server", Kind.GUIDE, "queries.md#filters"),
    /** Project. */
    T10("project only the properties needed", Kind.TRAFFIC, "queries-and-types.md#views"),
    /** Denormalise. */
    T11("the entity, or a reference to it, under each key it is found by", Kind.TRAFFIC, "index-tables.md"),
    /** Write in transactions. */
    T12("entity group transactions wherever possible", Kind.TRAFFIC, "the-writer.md#batching"),
    /** Upsert. */
    T13("upsert instead of read-then-decide", Kind.TRAFFIC, "changes.md#merge-or-replace"),
    /** Keep a series in one entity. */
    T14("a data series as properties of one entity", Kind.GUIDE, "time-series.md"),
    /** Keep ranges that are read together in a blob. */
    T15("ranges that are always read together belong in a blob", Kind.GUIDE, "keys-and-partitions.md#a-blob-instead"),
    /** Follow continuations. */
    T16("empty pages with a token are normal", Kind.TRAFFIC, "queries.md#pages-limits-and-deadlines"),
    /** Make keys of fixed width. */
    T17("composite and fixed-width keys", Kind.TRAFFIC, "queries-and-types.md#keys"),
    /** Keep transactions of one entity apart. */
    T18("never two transactions in flight with the same entity", Kind.TRAFFIC, "the-writer.md#batching"),
    /** Stress a partition. */
    T19("stress-test a partition and compare with its target", Kind.GUIDE, "stress-test.md"),
    /** Know the limits of the model. */
    T20("limits of the model", Kind.TRAFFIC, "keys-and-partitions.md#before-you-go-live"),
    /** Choose keys by granularity. */
    T21(
            "choose keys by granularity; many small partitions",
            Kind.TRAFFIC,
            "keys-and-partitions.md#how-many-rows-in-a-partition"),

    /** Stay below the target of one queue. */
    Q1("the target of one queue; several queues when it is not enough", Kind.TRAFFIC, "sharded-queues.md"),
    /** Switch Nagle's algorithm off. */
    Q2("Nagle off", Kind.CLIENT, "performance.md"),
    /** Send compact messages. */
    Q3("compact messages", Kind.TRAFFIC, "message-envelopes.md"),
    /** Receive in batches. */
    Q4("retrieve in batches", Kind.TRAFFIC, "queues.md#receiving"),
    /** Poll wisely. */
    Q5("poll wisely", Kind.TRAFFIC, "consumers.md#polling"),
    /** Renew messages. */
    Q6("update a message for progress and more time", Kind.TRAFFIC, "consumers.md#leases"),
    /** Decouple by queues. */
    Q7("queues decouple and level load", Kind.TRAFFIC, "poison-messages.md#the-poison-queue");

    private static final String DOCS = "https://github.com/stowline/stowline/blob/main/docs/";

    private final String title;
    private final Kind kind;
    private final String page;

    /** The source of a judgement. */
    public enum Kind {
        /** The attempts, pages and deliveries of the window. */
        TRAFFIC,
        /** The facts of the running clients. */
        CLIENT,
        /** Neither shows the practice: the documentation explains it. */
        GUIDE
    }

    Practice(String title, Kind kind, String page) {
        this.title = Objects.requireNonNull(title, "title");
        this.kind = kind;
        this.page = page;
    }

    /**
     * Returns the practice in a few words.
     *
     * @return the title, as {@code docs/practices.md} has it
     */
    public String title() {
        return title;
    }

    /**
     * Returns the source of its judgement.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the page of the documentation.
     *
     * @return the address
     */
    public URI link() {
        return URI.create(DOCS + page);
    }
}
