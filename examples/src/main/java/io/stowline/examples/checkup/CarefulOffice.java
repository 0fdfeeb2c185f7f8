package io.stowline.examples.checkup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.Stowline;
import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.CachedContainer;
import io.stowline.caching.Freshness;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.table.CachedTable;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;

/**
 * A program that does the work of a {@link RaceOffice} and obeys the practices.
 *
 * @param connectionString the account
 * @param advisor listens to its client
 * @param evening ends the names of tables, queues and containers
 */
record CarefulOffice(String connectionString, Advisor advisor, String evening) implements RaceOffice {

    private static final int BUCKETS = 48;
    private static final int CLOCKS = 8;
    private static final int LISTS = 8;
    private static final int AT_ONCE = 4;
    private static final String PADDING = ".".repeat(500) + '\n';
    private static final Freshness A_WHILE = Freshness.fresh(Duration.ofSeconds(30));

    @Override
    public AdviceReport work() throws InterruptedException {
        try (Stowline storage = Stowline.builder()
                .connectionString(connectionString)
                .listener(advisor.listener())
                .build()) {
            results(storage);
            mails(storage);
            photos(storage);
            return advisor.report();
        }
    }

    private void results(Stowline storage) {
        Table<Finish> readings = storage.table("clocks" + evening, Finish.class);
        Table<Finish> results = storage.table("finishers" + evening, Finish.class);
        readings.createIfMissing();
        results.createIfMissing();
        try (TableWriter<Finish> writer = readings.writer()) {
            for (int i = 0; i < READINGS; i++) {
                writer.insert(Finish.of(bucket(i, CLOCKS), bib(i), i));
            }
        }
        try (TableWriter<Finish> writer = results.writer()) {
            for (int i = 0; i < FINISHERS; i++) {
                writer.insert(Finish.of(bucket(i, BUCKETS), bib(i), i));
            }
        }
        try (TableWriter<Finish> writer = results.writer()) {
            for (int i = 0; i < CORRECTIONS; i++) { // of one bucket, so that they share a transaction
                writer.insertOrMerge(Finish.of(bucket(0, BUCKETS), bib(i * BUCKETS), i));
            }
        }
        for (int i = 0; i < LISTS; i++) {
            results.query().as(Finish.Line.class).partition(bucket(i, BUCKETS)).list();
        }
        for (int i = 0; i < VISITORS; i++) {
            results.find(bucket(100 + i, BUCKETS), bib(100 + i));
        }
        CachedTable<Finish> cached = results.cached(A_WHILE);
        for (int i = 0; i < VIEWS; i++) {
            cached.find(bucket(1, BUCKETS), bib(1));
        }
    }

    /** Spreads numbers over partitions in an order that is not theirs. */
    private static String bucket(int number, int buckets) {
        return String.format(Locale.ROOT, "%08x", number % buckets * 0x9E3779B9);
    }

    private static String bib(int number) {
        return String.format(Locale.ROOT, "%06d", number);
    }

    private void mails(Stowline storage) throws InterruptedException {
        MessageQueue<String> mails = storage.queue("letters" + evening).withEnvelope(e -> e.compressAbove(1_000));
        mails.createIfMissing();
        for (int i = 0; i < MAILS; i++) {
            mails.send("Dear runner, ".repeat(3_300));
        }
        AtomicInteger sent = new AtomicInteger();
        try (QueueConsumer consumer = mails.consume(mail -> sent.incrementAndGet())
                .concurrency(AT_ONCE)
                .start()) {
            Waiting.until("mails", () -> consumer.stats().completed() == MAILS);
        }
    }

    private void photos(Stowline storage) {
        BlobContainer photos = storage.container("pictures" + evening);
        photos.createIfMissing();
        BlobContainer archive = storage.container("album" + evening);
        archive.createIfMissing();
        Flux.range(0, PHOTOS)
                .flatMap(i -> photos.reactive().upload(new byte[20_000], photo(i)), AT_ONCE)
                .blockLast();
        for (int i = 0; i < ARCHIVED; i++) {
            archive.startCopy(photos, photo(i), photo(i)).join();
        }
        AppendBlob log = photos.appendBlob("2026-11-29.log");
        log.createIfMissing();
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < PHOTOS; i++) {
            lines.append("line ").append(i).append(PADDING);
        }
        log.append(lines.toString().getBytes(UTF_8));
        photos.upload(new byte[6 << 20], "finish.mp4");
        photos.upload(new byte[16 << 20], "start.mp4");
        photos.upload(new byte[20_000], "course.png");
        CachedContainer cached = photos.cached(A_WHILE);
        for (int i = 0; i < VIEWS; i++) {
            cached.download("course.png");
        }
    }

    private static String photo(int number) {
        return bucket(number, PHOTOS) + ".jpg";
    }
}
