package io.stowline.table.internal.write;

import io.stowline.error.StorageException;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A log on disk of the operations that a writer has accepted, as the writer's flush and close see it. Thread-safe. */
public interface OperationLog {

    /** Returns the moment when the operations of earlier processes have gone before those of this one. */
    Mono<Void> opened();

    /** Returns the end of the operations that earlier processes have left. */
    Mono<ReplayReport> replayed();

    /**
     * Returns why it sends nothing at present.
     *
     * @return the refusal of all operations by the service, or {@code null} if there is none
     */
    @Nullable
    StorageException pausedBy();

    /**
     * Returns the operations that were refused for good, of this process and of earlier ones.
     *
     * @return the operations, the oldest first
     */
    List<RejectedOperation> rejected();

    /** Removes an operation from those that were refused for good. */
    void discardRejected(long id);

    /**
     * Gives the journal back, once, unless attempts of operations that are left in it may still go out. A second caller waits for the first,
     * so that each caller of close may open the next writer at once.
     */
    void close();
}
