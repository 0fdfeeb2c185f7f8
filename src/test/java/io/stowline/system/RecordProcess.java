package io.stowline.system;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.journal.JournalSettings;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordWriter;
import io.stowline.records.RecordWriterSettings;
import io.stowline.retry.Backoff;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A process that writes numbered records through a journal until it is killed, or has written all that it is to write. It reports on its
 * standard output.
 *
 * <pre>
 * W text                                 a recovery warning of the journal
 * A thread number                        a record is accepted
 * E accepted written failed buffered     the writer is closed
 * </pre>
 */
final class RecordProcess {

    static final int THREADS = 3;

    /** The bytes of a record, with its line end. */
    static final int SIZE = 1024;

    static final String PREFIX = "activities/";

    private static final String LETTERS = letters();

    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final RecordWriter<String> writer;
    private final int run;
    private final int records;

    private RecordProcess(RecordWriter<String> writer, int run, int records) {
        this.writer = writer;
        this.run = run;
        this.records = records;
    }

    /** Takes the connection string, the container, the target, the journal's folder, the number of the run, and the records of a thread. */
    public static void main(String[] args) throws Exception {
        try (Stowline storage = Stowline.builder()
                        .connectionString(args[0])
                        .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(10))))
                        .build();
                Journal journal = Journal.open(
                        Path.of(args[3]),
                        JournalSettings.builder().maxBytes(16L << 20).build())) {
            RecordWriter<String> writer = RecordBlobs.in(storage.container(args[1]), PREFIX)
                    .writer(format(args[2]), settings -> target(args[2], settings.journal(journal)));
            RecordProcess process = new RecordProcess(writer, Integer.parseInt(args[4]), Integer.parseInt(args[5]));
            for (String warning : journal.recoveryWarnings()) {
                process.say("W " + warning.replaceAll("\\s+", " "));
            }
            process.write();
            writer.close();
            RecordWriter.RecordProgress end = writer.progress();
            process.say("E " + end.accepted() + " " + end.written() + " " + end.failed() + " " + end.buffered());
        }
    }

    static RecordFormat<String> format(String target) {
        return target.equals("append") ? RecordFormat.lines().gzip() : RecordFormat.lines();
    }

    private static RecordWriterSettings.Builder target(String target, RecordWriterSettings.Builder settings) {
        settings.upTo(128 << 10).every(Duration.ofSeconds(1)).submitTimeout(Duration.ofMinutes(10));
        return target.equals("append")
                ? settings.appendBlobs(append -> append.linger(Duration.ofMillis(100)))
                : settings;
    }

    private static String letters() {
        Random random = new Random(45);
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < 4 * SIZE; i++) {
            letters.append((char) ('a' + random.nextInt(26)));
        }
        return letters.toString();
    }

    /** Returns a record, from which each byte of its content follows. */
    static String content(int run, int thread, int number) {
        String head = run + " " + thread + " " + number + " ";
        int from = (run * 31 + thread * 7 + number) % (2 * SIZE);
        return head + LETTERS.substring(from, from + SIZE - 1 - head.length());
    }

    /** One call of the system for each line, so that a kill leaves no line behind in this process. */
    private synchronized void say(String line) {
        try {
            out.write((line + "\n").getBytes(US_ASCII));
        } catch (IOException e) { // the test that started it is gone
            Runtime.getRuntime().halt(1);
        }
    }

    private void write() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            threads.add(new Thread(() -> write(thread)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void write(int thread) {
        for (int number = 0; number < records; number++) {
            writer.write(content(run, thread, number));
            say("A " + thread + " " + number);
        }
    }
}
