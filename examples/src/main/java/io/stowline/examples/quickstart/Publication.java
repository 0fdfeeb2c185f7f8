package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.examples.load.EntityTally;
import io.stowline.examples.shared.Report;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The figures of a load as a message and the report as a blob. Both are read back and compared, and their queue and container are gone at
 * the end.
 *
 * @param storage the account
 * @param out where to show it
 */
record Publication(Stowline storage, PrintStream out) {

    private static final String BLOB = "report.txt";
    /** Short, as a message whose receipt is lost on the way comes back after it. */
    private static final Duration LEASE = Duration.ofSeconds(1);

    private static final int MAX_POLLS = 120;
    private static final long POLL_MILLIS = 250;

    /** Returns the differences of what came back: none when all is well. */
    List<String> publish(EntityTally stored, Report report) throws InterruptedException {
        String name = ScratchTable.name("quickstart");
        Summary summary = new Summary(name, stored.total(), stored.partitions().size(), stored.checksum());
        List<String> differences = new ArrayList<>(sendSummary(name, summary));
        differences.addAll(storeReport(name, String.join("\n", report.lines())));
        return differences;
    }

    private List<String> sendSummary(String name, Summary summary) throws InterruptedException {
        MessageQueue<Summary> queue = storage.queue(name, Summary.class);
        queue.createIfMissing();
        try {
            queue.send(summary);
            Optional<Summary> received = receive(queue);
            out.println("Through the queue: " + received.map(Summary::toString).orElse("nothing came"));
            return received.equals(Optional.of(summary))
                    ? List.of()
                    : List.of("summary: " + received + ", not " + summary);
        } finally {
            queue.dropIfExists();
        }
    }

    private static Optional<Summary> receive(MessageQueue<Summary> queue) throws InterruptedException {
        for (int poll = 0; poll < MAX_POLLS; poll++) {
            Optional<Summary> received =
                    queue.receive(1, LEASE).stream().findFirst().map(ReceivedMessage::body);
            if (received.isPresent()) {
                return received;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return Optional.empty();
    }

    private List<String> storeReport(String name, String report) {
        BlobContainer container = storage.container(name);
        container.createIfMissing();
        try {
            container.upload(report.getBytes(UTF_8), BLOB, upload -> upload.overwrite()
                    .contentType("text/plain; charset=utf-8"));
            String stored = new String(container.download(BLOB), UTF_8);
            out.printf(Locale.ROOT, "As the blob %s: %,d bytes%n", BLOB, stored.getBytes(UTF_8).length);
            return stored.equals(report) ? List.of() : List.of("report: the blob is not what was stored");
        } finally {
            container.dropIfExists();
        }
    }

    /**
     * The figures of a load, for the program that waits for it. Travels as JSON.
     *
     * @param job the name of the job
     * @param entities how many entities were read back
     * @param partitions in how many partitions
     * @param checksum the checksum over all of them
     */
    record Summary(String job, long entities, int partitions, String checksum) {}
}
