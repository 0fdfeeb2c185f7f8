package io.stowline.table.internal.transfer;

import io.stowline.table.internal.format.FileEntity;
import io.stowline.table.internal.format.FileRow;
import io.stowline.table.internal.transfer.RowWriter.GroupResult;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Groups of rows in flight, whose results are taken in the order of the rows: what is taken covers the source without a gap. For one thread,
 * which waits for the oldest group when there are too many.
 */
final class GroupQueue {

    private final RowWriter writer;
    private final TransferThreads threads;
    private final int max;
    private final ResultTaker taker;
    private final Deque<CompletableFuture<GroupResult>> groups = new ArrayDeque<>();
    private RowGroup group = new RowGroup();

    /** The taker of results in the order of the rows. */
    @FunctionalInterface
    interface ResultTaker {
        void take(GroupResult result) throws IOException;
    }

    GroupQueue(RowWriter writer, TransferThreads threads, int max, ResultTaker taker) {
        this.writer = writer;
        this.threads = threads;
        this.max = max;
        this.taker = taker;
    }

    /** Adds a row in the order of the keys. */
    void add(FileEntity entity) throws IOException {
        if (!group.hasRoom(entity)) {
            cut();
        }
        group.add(entity);
    }

    void reject(FileRow row, String reason) throws IOException {
        group.reject(row, reason);
        if (group.isFull()) {
            cut();
        }
    }

    /** Counts a row that takes no part. */
    void skip(FileRow row) {
        group.skip(row);
    }

    private void cut() throws IOException {
        if (group.isEmpty()) {
            return;
        }
        while (groups.size() >= max) {
            takeOldest();
        }
        RowGroup cut = group;
        group = new RowGroup();
        groups.add(threads.begin(() -> writer.write(cut)));
    }

    private void takeOldest() throws IOException {
        taker.take(Objects.requireNonNull(TransferThreads.await(groups.remove()), "the result"));
    }

    /** Waits until all rows that were added have their results. */
    void flush() throws IOException {
        cut();
        while (!groups.isEmpty()) {
            takeOldest();
        }
    }
}
