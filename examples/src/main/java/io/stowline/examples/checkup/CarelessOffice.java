package io.stowline.examples.checkup;

import static io.stowline.projection.filter.Filter.raw;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.Stowline;
import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import io.stowline.blob.BlobContainer;
import io.stowline.error.BadRequestException;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.Table;
import io.stowline.table.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import reactor.core.publisher.Flux;

/**
 * A program that does the work of a {@link RaceOffice} and breaks a practice at each step. Comments name it.
 *
 * @param connectionString the account
 * @param advisor listens to its clients
 * @param evening ends the names of tables, queues and containers
 */
record CarelessOffice(String connectionString, Advisor advisor, String evening) implements RaceOffice {

    private static final int CLIENTS = 12;
    private static final int AT_ONCE = 100;
    private static final int THIN = 9;
    private static final int SEARCHES = 8;
    private static final int MISTAKES = 20;
    private static final int POISON = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Override
    public AdviceReport work() throws InterruptedException {
        for (int i = 0; i < CLIENTS; i++) { // A10: a client for each call
            try (Stowline storage = connect()) {
                storage.table("settings" + evening, Entity.class).createIfMissing();
            }
        }
        try (Stowline storage = connect()) {
            course(storage);
            results(storage);
            readings(storage);
            profiles(storage);
            messages(storage);
            mails(storage);
            photos(storage);
            return advisor.report();
        }
    }

    private Stowline connect() {
        return Stowline.builder()
                .connectionString(connectionString)
                .listener(advisor.listener())
                .serviceVersion("2019-12-12") // A14: an old version of the protocol
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(20)))) // A15: a fixed pace
                .parallelism(1) // A13: everything waits for one permit
                .build();
    }

    /** T5, T17, T21: a partition for each reading, whose keys rise; numbers without leading zeros as row keys. */
    private void readings(Stowline storage) {
        Table<Finish> readings = storage.table("readings" + evening, Finish.class);
        readings.createIfMissing();
        for (int i = 0; i < READINGS; i++) {
            readings.insert(Finish.of(String.format(Locale.ROOT, "%08d", i), String.valueOf(i), i));
        }
    }

    private void results(Stowline storage) {
        Table<Finish> results = storage.table("results" + evening, Finish.class);
        results.createIfMissing();
        for (int i = 0; i < FINISHERS; i += THIN) { // T6, T12, T1: thin transactions in one partition
            Transaction<Finish> few = results.transaction("race");
            for (int j = i; j < i + THIN; j++) {
                few = few.insert(Finish.of("race", bib(j), j));
            }
            few.commit();
        }
        for (int i = 0; i < CORRECTIONS; i++) { // T13: read, then write without a condition
            Finish stored = results.find("race", bib(i)).orElseThrow().value();
            results.insertOrReplace(new Finish("race", bib(i), stored.name(), i, stored.notes()));
        }
        for (int i = 0; i < SEARCHES; i++) { // T7, T8, T11: a scan for each search
            results.query().where(results.property("seconds").equalTo(i)).list();
        }
        storage.table("results" + evening, Entity.class)
                .query()
                .partition("race")
                .list(); // T10: whole rows
        for (int i = 0; i < VISITORS; i++) {
            results.find("race", bib(100 + i));
        }
        for (int i = 0; i < VIEWS; i++) { // A8: the same entity again
            results.find("race", bib(1));
        }
        Flux.range(0, AT_ONCE) // A13: all at once
                .flatMap(i -> results.reactive().find("race", bib(200 + i)), AT_ONCE)
                .blockLast();
        int mistakes = 0;
        while (mistakes < MISTAKES
                && isRefused(results.query().partition("race").where(raw("seconds ge")))) {
            mistakes++; // A16: repeats a request that cannot succeed
        }
    }

    private static boolean isRefused(Query<?> query) {
        try {
            query.list();
            return false;
        } catch (BadRequestException e) {
            return true;
        }
    }

    private static String bib(int number) {
        return String.format(Locale.ROOT, "%06d", number);
    }

    /** T20: a large value in an entity. */
    private void profiles(Stowline storage) {
        Table<Entity> profiles = storage.table("settings" + evening, Entity.class);
        Entity.Builder profile = Entity.builder("race", "course");
        for (int i = 0; i < 11; i++) {
            profile.set("part" + i, "é".repeat(30_000));
        }
        profiles.insertOrReplace(profile.build());
    }

    private void messages(Stowline storage) throws InterruptedException {
        MessageQueue<String> orders = storage.queue("orders" + evening);
        orders.createIfMissing();
        for (int i = 0; i < MAILS; i++) { // Q3: large messages
            orders.send("Dear runner, ".repeat(3_300));
        }
        for (int i = 0; i < MAILS - 1; i++) { // Q4: one by one
            orders.receive().ifPresent(orders::delete);
        }
        List<ReceivedMessage<String>> slow = orders.receive(1, Duration.ofSeconds(1));
        Thread.sleep(1_500); // Q6: the handling takes longer than the lease
        orders.receive(1, PATIENCE);
        slow.forEach(orders::deleteIfOurs);

        MessageQueue<String> idle = storage.queue("idle" + evening);
        idle.createIfMissing();
        for (int i = 0; i < VIEWS; i++) { // Q5: polls without a pause
            idle.receive(1);
        }
    }

    /** Q7: a handler that fails for some messages each time. */
    private void mails(Stowline storage) throws InterruptedException {
        MessageQueue<String> mails = storage.queue("mails" + evening);
        mails.createIfMissing();
        for (int i = 0; i < POISON; i++) {
            mails.send("no address");
        }
        try (QueueConsumer consumer = mails.consume(mail -> {
                    throw new IllegalStateException("a mail without an address");
                })
                .poisonAfter(1)
                .start()) {
            Waiting.until("poison messages", () -> consumer.stats().poisoned() == POISON);
        }
    }

    private void photos(Stowline storage) {
        BlobContainer photos = storage.container("photos" + evening);
        photos.createIfMissing();
        BlobContainer archive = storage.container("archive" + evening);
        archive.createIfMissing();
        for (int i = 0; i < PHOTOS; i++) { // A2, A9: names that rise, and a small blob for each line of the log
            photos.upload(("line " + i + ".".repeat(500)).getBytes(UTF_8), "2026-11-29-" + bib(i) + ".log");
        }
        for (int i = 0; i < ARCHIVED; i++) { // B3: copies by hand
            String name = "2026-11-29-" + bib(i) + ".log";
            archive.upload(photos.download(name), name);
        }
        photos.upload(new byte[6 << 20], "finish.mp4", to -> to.blockSize(256 << 10)); // B10: short blocks
        photos.upload(new byte[16 << 20], "start.mp4", to -> to.blockSize(16 << 20)); // B7: all in one request
    }

    /** A8, B1, B2: one blob again and again. */
    private void course(Stowline storage) {
        BlobContainer maps = storage.container("maps" + evening);
        maps.createIfMissing();
        maps.upload(new byte[20_000], "course.png");
        for (int i = 0; i < VIEWS; i++) {
            maps.download("course.png");
        }
    }
}
