package io.stowline.benchmarks.records;

import io.stowline.benchmarks.side.work.Account;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A process of little memory through which a million records pass, and its heap after each tenth of them. */
final class RecordHeap {

    private static final int PARTS = 10;
    private static final int RECORDS = 100_000;

    private RecordHeap() {}

    /** Takes the account's endpoint, name and key, and the journal's folder or an empty text. */
    public static void main(String[] args) throws Exception {
        Account account = new Account(args[0], args[1], args[2]);
        List<Long> heap = new ArrayList<>();
        try (RecordContender writer =
                new RecordsInBlobs(account, args[3].isEmpty() ? null : Path.of(args[3]), false, 4)) {
            for (int part = 0; part < PARTS; part++) {
                writer.store(RECORDS);
                System.gc();
                heap.add(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10);
            }
        }
        System.out.printf(
                "With -Xmx128m, %s, KiB of heap after each %,d records: %s%n",
                args[3].isEmpty() ? "no journal" : "journal",
                RECORDS,
                heap.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
}
