package io.stowline.advisor.internal.evidence;

import java.util.Arrays;

/** The evidence of one part of a window. Not thread-safe. */
final class EvidencePart {

    static final int PARTITIONS = 128;
    static final int SHARED_WRITES = 64;
    static final int BLOBS = 64;
    static final int ACCOUNTS = 8;

    final CounterTable<Tally> tallies = new CounterTable<>(Tally.class, 1);
    final CounterTable<ContainerTally> containers = new CounterTable<>(ContainerTally.class, Containers.PLACES);
    final CounterTable<ShapeTally> shapes = new CounterTable<>(ShapeTally.class, QueryShapes.PLACES);
    final HeavyHitters accounts = new HeavyHitters(ACCOUNTS);
    final HeavyHitters partitions = new HeavyHitters(PARTITIONS);
    final HeavyHitters sharedWrites = new HeavyHitters(SHARED_WRITES);
    final HeavyHitters blobs = new HeavyHitters(BLOBS);
    final SizeHistogram roundTrips = new SizeHistogram();
    final SizeHistogram singleWrites = new SizeHistogram();
    final SizeHistogram connects = new SizeHistogram();
    final SizeHistogram permits = new SizeHistogram();
    final SizeHistogram messages = new SizeHistogram();

    private final long[] keyLengths = new long[Containers.PLACES];
    private long largestEntity;
    private long largestBlobBody;
    private long startMillis;

    void add(Tally tally) {
        tallies.add(0, tally, 1);
    }

    void add(Tally tally, long number) {
        tallies.add(0, tally, number);
    }

    long get(Tally tally) {
        return tallies.get(0, tally);
    }

    /** Notes the length of a numeric key; its bit is set. */
    void addKeyLength(int container, int length) {
        keyLengths[container] |= 1L << Math.min(length, 63);
    }

    void addEntity(long bytes) {
        largestEntity = Math.max(largestEntity, bytes);
    }

    void addBlobBody(long bytes) {
        largestBlobBody = Math.max(largestBlobBody, bytes);
    }

    long largestEntity() {
        return largestEntity;
    }

    long largestBlobBody() {
        return largestBlobBody;
    }

    /** Returns how many lengths numeric keys of a container have. */
    int keyLengths(int container) {
        return Long.bitCount(keyLengths[container]);
    }

    long startMillis() {
        return startMillis;
    }

    /** Adds what can be summed; sketches are merged by their readers. */
    void addAll(EvidencePart other) {
        tallies.addAll(other.tallies);
        containers.addAll(other.containers);
        shapes.addAll(other.shapes);
        roundTrips.addAll(other.roundTrips);
        singleWrites.addAll(other.singleWrites);
        connects.addAll(other.connects);
        permits.addAll(other.permits);
        messages.addAll(other.messages);
        for (int i = 0; i < keyLengths.length; i++) {
            keyLengths[i] |= other.keyLengths[i];
        }
        addEntity(other.largestEntity);
        addBlobBody(other.largestBlobBody);
    }

    /** Follows a clock that was set back. */
    void goBack(long millis) {
        startMillis = Math.max(0, startMillis - millis);
    }

    /** Forgets everything, and begins at a time. */
    void begin(long millis) {
        startMillis = millis;
        tallies.clear();
        containers.clear();
        shapes.clear();
        accounts.clear();
        partitions.clear();
        sharedWrites.clear();
        blobs.clear();
        roundTrips.clear();
        singleWrites.clear();
        connects.clear();
        permits.clear();
        messages.clear();
        Arrays.fill(keyLengths, 0);
        largestEntity = 0;
        largestBlobBody = 0;
    }
}
