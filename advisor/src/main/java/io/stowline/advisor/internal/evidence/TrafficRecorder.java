package io.stowline.advisor.internal.evidence;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptReason;
import io.stowline.observe.QueryPageEvent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The way of an event into the part of the window that it ends in, and what the next events must know of it. Not thread-safe. */
final class TrafficRecorder {

    private static final long SMALL_RESPONSE = 16 << 10;
    private static final long FULL_PAGE = 1_000;
    private static final Set<String> ABSENT_PLACES = Set.of("TableNotFound", "QueueNotFound", "ContainerNotFound");

    private final KeyedHash hash = KeyedHash.random();
    private final Containers containers = new Containers(hash);
    private final QueryShapes shapes = new QueryShapes(hash);
    private final KeyTexts keys;
    private final KeyTexts accounts = new KeyTexts(true);
    private final TableRecorder tables;
    private final BlobRecorder blobs;
    private @Nullable String lastAccount;
    private long lastAccountHash;

    TrafficRecorder(KeyTexts keys) {
        this.keys = keys;
        this.tables = new TableRecorder(hash, containers, keys);
        this.blobs = new BlobRecorder(hash, containers, keys);
    }

    void add(AttemptEvent event, EvidencePart part, long now, long number, long oldest) {
        AttemptReason reason = event.reason();
        // A writer waits for permits instead of its callers, and so does an upload of a directory.
        if (!event.operation().equals("transaction") && event.caller().equals(event.operation())) {
            part.permits.add(event.permitNanos());
        }
        if (reason == AttemptReason.HELD_BACK || reason == AttemptReason.CREDENTIAL) {
            part.add(Tally.HELD_BACK);
            return;
        }
        boolean throttled = addEnd(event, part);
        // The client counts the rows of a page by its bytes.
        int returned = returnsMany(event) ? event.returned() : -1;
        long units = Math.max(1, returnsMany(event) ? returned : event.entities());
        long bytes = event.bytesSent() + event.bytesReceived();
        part.accounts.add(account(event.account()), Containers.NONE, units, throttled, bytes);
        int container = event.container().isEmpty()
                ? Containers.NONE
                : containers.place(event.account(), event.service(), event.container(), number, oldest);
        if (container != Containers.NONE) {
            part.containers.add(container, ContainerTally.ATTEMPTS, 1);
            part.containers.add(container, ContainerTally.THROTTLED, throttled ? 1 : 0);
            part.containers.add(container, ContainerTally.UNITS, units);
        }
        switch (event.service()) {
            case "table" -> tables.add(event, part, container, units, bytes, throttled, now);
            case "queue" -> addQueue(event, part, container, returned);
            case "blob" -> blobs.add(event, part, container, bytes, throttled, now);
            default -> {}
        }
    }

    /** Adds the end that all services have, and returns whether the service refused the attempt for load. */
    private static boolean addEnd(AttemptEvent event, EvidencePart part) {
        AttemptReason reason = event.reason();
        part.add(Tally.ATTEMPTS);
        part.add(Tally.BYTES_SENT, event.bytesSent());
        part.add(Tally.BYTES_RECEIVED, event.bytesReceived());
        part.add(Tally.NANOS, event.elapsedNanos());
        boolean throttled = false;
        switch (reason) {
            case THROTTLED_PARTITION, THROTTLED_ACCOUNT -> {
                throttled = true;
                part.add(Tally.THROTTLED);
                part.add(Tally.ACCOUNT_THROTTLED, reason == AttemptReason.THROTTLED_ACCOUNT ? 1 : 0);
                addFailure(event, part);
            }
            case CONNECTION, TIMEOUT, UNREADABLE -> {
                part.add(Tally.UNANSWERED);
                addFailure(event, part);
            }
            case SERVER_ERROR -> addFailure(event, part);
            case REFUSED -> part.add(Tally.REFUSED, isExpected(event) ? 0 : 1);
            default -> {}
        }
        if (event.connectNanos() > 0) {
            part.connects.add(event.connectNanos());
        } else if (reason == AttemptReason.SUCCESS && isSmallRead(event)) {
            part.roundTrips.add(event.elapsedNanos());
        }
        return throttled;
    }

    private static void addFailure(AttemptEvent event, EvidencePart part) {
        part.add(Tally.FAILURES);
        part.add(Tally.FAILED_NANOS, event.elapsedNanos());
    }

    /** A conflict, a failed condition and an absent entity, message or blob are results. */
    private static boolean isExpected(AttemptEvent event) {
        int status = event.status();
        String code = event.errorCode();
        if (code != null && ABSENT_PLACES.contains(code)) {
            return event.existenceCheck() || event.operation().startsWith("delete");
        }
        return status == 304 || status == 404 || status == 409 || status == 412;
    }

    /** A query may scan for long; a read of one entity, message or small blob does not. */
    private static boolean isSmallRead(AttemptEvent event) {
        return !event.write()
                && event.bytesReceived() <= SMALL_RESPONSE
                && !event.operation().equals("query");
    }

    /** The targets count entities and messages; a page of a query counts as scanned once its rows are decoded. */
    private static boolean returnsMany(AttemptEvent event) {
        return event.operation().equals("receive") || event.operation().equals("query");
    }

    /** Returns the hash of an account. Most events are of the account of the event before. */
    private long account(String name) {
        if (!name.equals(lastAccount)) {
            lastAccount = name;
            lastAccountHash = hash.of(0, name);
            accounts.put(lastAccountHash, name);
        }
        return lastAccountHash;
    }

    void add(QueryPageEvent page, EvidencePart part, long number, long oldest) {
        long account = account(page.account());
        int scanned = scanned(page, number, oldest);
        int unreported = scanned - Math.max(1, page.returned());
        if (unreported > 0) {
            part.add(Tally.ENTITIES, unreported);
            part.accounts.add(account, Containers.NONE, unreported, false, 0);
        }
        boolean wide = page.selected() == 0 || (page.mapped() > 0 && page.selected() > page.mapped());
        part.add(Tally.ROW_BYTES, page.bytes());
        part.add(Tally.PAGES);
        part.add(Tally.CONTINUED_PAGES, page.continued() ? 1 : 0);
        part.add(Tally.EMPTY_PAGES, page.returned() == 0 ? 1 : 0);
        part.add(Tally.ROWS, page.returned());
        part.add(Tally.WIDE_ROWS, wide ? page.returned() : 0);
        int shape = shapes.place(page, number, oldest);
        if (shape != Containers.NONE) {
            part.shapes.add(shape, ShapeTally.PAGES, 1);
            part.shapes.add(shape, ShapeTally.CONTINUED, page.continued() ? 1 : 0);
            part.shapes.add(shape, ShapeTally.EMPTY, page.returned() == 0 ? 1 : 0);
            part.shapes.add(shape, ShapeTally.RETURNED, page.returned());
            part.shapes.add(shape, ShapeTally.SCANNED, scanned);
            part.shapes.add(shape, ShapeTally.WIDE, wide ? page.returned() : 0);
            part.shapes.add(shape, ShapeTally.BYTES, page.bytes());
        }
    }

    /** The estimate is a full page, which a small table does not have: it counts once a full page of its entities was seen. */
    private int scanned(QueryPageEvent page, long number, long oldest) {
        int table = containers.place(page.account(), "table", page.table(), number, oldest);
        if (table == Containers.NONE) {
            return Math.max(1, page.returned());
        }
        containers.see(table, page.returned());
        boolean large = page.continued() || containers.seen(table) >= FULL_PAGE;
        return large ? page.scanned() : Math.max(1, page.returned());
    }

    private static void addQueue(AttemptEvent event, EvidencePart part, int container, int returned) {
        boolean done = event.reason() == AttemptReason.SUCCESS;
        switch (event.operation()) {
            case "send" -> {
                if (done) {
                    part.add(Tally.SENDS);
                    part.add(Tally.MESSAGES);
                    part.messages.add(event.bytesSent());
                }
            }
            case "receive" -> {
                if (done && returned >= 0) {
                    addReceive(event, part, container, returned);
                }
            }
            case "update", "delete" -> {
                boolean stale = event.status() == 404
                        || (event.status() == 400 && "PopReceiptMismatch".equals(event.errorCode()));
                // The attempt before may have been carried out.
                part.add(Tally.STALE_RECEIPTS, stale && event.number() == 1 ? 1 : 0);
                part.add(Tally.MESSAGES);
            }
            default -> {}
        }
    }

    private static void addReceive(AttemptEvent event, EvidencePart part, int container, int returned) {
        part.add(Tally.RECEIVED_MESSAGES, returned);
        part.add(Tally.MESSAGES, returned);
        if (container != Containers.NONE) {
            part.containers.add(container, ContainerTally.RECEIVES, 1);
            part.containers.add(container, ContainerTally.EMPTY_RECEIVES, returned == 0 ? 1 : 0);
            boolean single = event.entities() <= 1 && returned == 1;
            part.containers.add(container, ContainerTally.SINGLE_RECEIVES, single ? 1 : 0);
        }
    }

    void advance() {
        containers.advance();
    }

    /** Returns the bytes of blobs since the start. */
    long shippedBytes() {
        return blobs.shippedBytes();
    }

    Containers containers() {
        return containers;
    }

    QueryShapes shapes() {
        return shapes;
    }

    KeyTexts keys() {
        return keys;
    }

    KeyTexts accounts() {
        return accounts;
    }
}
