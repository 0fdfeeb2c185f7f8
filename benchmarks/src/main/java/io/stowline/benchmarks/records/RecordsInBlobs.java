package io.stowline.benchmarks.records;

import io.stowline.Stowline;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.journal.Journal;
import io.stowline.journal.JournalSettings;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordWriter;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/** Stowline's writer of records: lines in chunks of 16 MiB, with or without a journal. */
final class RecordsInBlobs implements RecordContender {

    private final LongAdder requests = new LongAdder();
    private final Stowline storage;
    private final @Nullable Journal journal;
    private final RecordWriter<String> writer;
    private final @Nullable ThreadedWrites threads;

    /** A listener that counts requests with their retries. */
    private final class RequestCount implements StowlineListener {

        @Override
        public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
            return new OperationListener() {
                @Override
                public void onRequestEnd(RequestEnd request) {
                    requests.add(request.attempts().size());
                }
            };
        }
    }

    /**
     * Makes a writer.
     *
     * @param account the account
     * @param folder the journal's folder, or null for none
     * @param fsync whether records survive a crash of the machine
     * @param threads how many threads write; 0 for a stream
     */
    RecordsInBlobs(Account account, @Nullable Path folder, boolean fsync, int threads) {
        this.storage = Stowline.builder()
                .blobEndpoint(account.endpoint())
                .accountName(account.name())
                .credential(account.credential())
                .listener(new RequestCount())
                .build();
        this.journal = folder == null
                ? null
                : Journal.open(folder, JournalSettings.builder().fsync(fsync).build());
        this.writer = RecordBlobs.in(storage.container(Blobs.CONTAINER), Blobs.ABSENT + "/")
                .writer(RecordFormat.lines(), w -> journal == null ? w : w.journal(journal));
        this.threads = threads == 0 ? null : new ThreadedWrites(threads);
    }

    @Override
    public long store(int records) throws Exception {
        long before = requests.sum();
        if (threads == null) {
            writer.reactive()
                    .writeAll(Flux.range(0, records).map(RecordTexts::text))
                    .block();
        } else {
            threads.write(records, writer::write);
        }
        writer.flush();
        return requests.sum() - before;
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.close();
        }
        writer.close();
        if (journal != null) {
            journal.close();
        }
        storage.close();
    }
}
