package io.stowline.blob.internal;

import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import io.stowline.retry.RetryEngine;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.AccountConnection;
import io.stowline.transport.internal.SdkCalls;
import io.stowline.transport.internal.StorageAccount;
import io.stowline.transport.internal.StorageAccount.Service;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** The blob service of one account as one client uses it. Thread-safe. */
public final class BlobService {

    private final StorageAccount account;
    private final AccountConnection connection;
    private final RetrySettings retry;
    private final SdkCalls calls;
    private final RetryEngine engine;
    private final BufferedBytes buffered = new BufferedBytes();
    private volatile @Nullable BlobServiceAsyncClient sdk;

    /**
     * Prepares the service; nothing is sent, and the account need not have blobs.
     *
     * @param account the account
     * @param connection the connection to it
     * @param retry how operations are tried
     */
    public BlobService(StorageAccount account, AccountConnection connection, RetrySettings retry) {
        this.account = account;
        this.connection = connection;
        this.retry = retry;
        this.calls = connection.to(Service.BLOB).sdk();
        this.engine = new RetryEngine(
                connection.timer(), () -> ThreadLocalRandom.current().nextLong());
    }

    /**
     * What the faces of one container stand on.
     *
     * @param name the container's name
     * @return its scope
     * @throws IllegalArgumentException if the service does not allow the name, or the connection string gives no address for blobs
     */
    public BlobScope container(String name) {
        return new BlobScope(this, sdk().getBlobContainerAsyncClient(ContainerNames.check(name)), retry);
    }

    /** Two threads may make one each; they are the same. */
    private BlobServiceAsyncClient sdk() {
        BlobServiceAsyncClient made = sdk;
        if (made == null) {
            made = new BlobServiceClientBuilder()
                    .endpoint(account.endpoint(Service.BLOB).toString())
                    .pipeline(ContextualPipeline.over(calls.pipeline()))
                    .buildAsyncClient();
            sdk = made;
        }
        return made;
    }

    SdkCalls calls() {
        return calls;
    }

    RetryEngine engine() {
        return engine;
    }

    Scheduler timer() {
        return connection.timer();
    }

    /**
     * Where results are delivered.
     *
     * @return the scheduler of the callback threads
     */
    public Scheduler callbackScheduler() {
        return connection.callbackScheduler();
    }

    /**
     * What transfers hold in memory.
     *
     * @return the count
     */
    public BufferedBytes buffered() {
        return buffered;
    }
}
