package io.stowline.benchmarks.growth;

/** A quantity that grows with an application, and its chart. */
enum Growth {
    PARTITIONS("partitions", "Writer: from 1 to 1,000 partitions", "partitions", "entity"),
    IN_FLIGHT("in-flight", "Point reads: from 1 to 64 in flight", "requests in flight", "read"),
    ENTITY_SIZE("entity-size", "Entities: from 1 KiB to 1 MB", "KiB of an entity", "KiB"),
    LISTING("listing", "Listing: from 100 to 1,000,000 blobs", "blobs", "blob"),
    BUSY_QUEUES("queues", "Consumers: from 1 to 200 queues with messages", "queues", "message"),
    IDLE_QUEUES("queues-idle", "Consumers: from 1 to 200 empty queues", "queues", "poll");

    private final String id;
    private final String title;
    private final String axis;
    private final String item;

    Growth(String id, String title, String axis, String item) {
        this.id = id;
        this.title = title;
        this.axis = axis;
        this.item = item;
    }

    String title() {
        return title;
    }

    /** Returns what the sizes count. */
    String axis() {
        return axis;
    }

    /** Returns the name of one of its items, to which the figures belong. */
    String item() {
        return item;
    }

    /** Returns whether the most memory in use at a time is measured, too. */
    boolean isAboutMemory() {
        return this == LISTING || this == IDLE_QUEUES;
    }

    /** Returns the name of its picture. */
    String picture() {
        return "growth-" + id + ".svg";
    }
}
