package io.stowline.queue.internal;

import com.azure.core.http.HttpPipeline;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.AccountConnection;
import io.stowline.transport.internal.SdkCalls;
import io.stowline.transport.internal.StorageAccount;
import io.stowline.transport.internal.StorageAccount.Service;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** The queue service of one account as one client uses it. Thread-safe. */
public final class QueueService {

    private final StorageAccount account;
    private final AccountConnection connection;
    private final RetrySettings retry;
    private final SdkCalls calls;
    private final Completed completed;
    private volatile @Nullable QueueServiceAsyncClient sdk;
    private volatile @Nullable QueueServiceAsyncClient lent;

    /**
     * Prepares the service; nothing is sent.
     *
     * @param account the account
     * @param connection the connection to it
     * @param retry how operations are tried
     */
    public QueueService(StorageAccount account, AccountConnection connection, RetrySettings retry) {
        this.account = account;
        this.connection = connection;
        this.retry = retry;
        this.calls = connection.sdk(Service.QUEUE);
        this.completed = new Completed(connection.to(Service.QUEUE).clock());
    }

    /**
     * The operations of one queue.
     *
     * @param name the queue's name
     * @return its client
     * @throws IllegalArgumentException if the service does not allow the name, or the account has no queue endpoint
     */
    public QueueClient queue(String name) {
        QueueAsyncClient own = sdk().getQueueAsyncClient(QueueNames.check(name));
        QueueAsyncClient lent = lent().getQueueAsyncClient(name);
        return new QueueClient(own, lent, calls, retry, connection.timer(), completed);
    }

    /** Made when the first queue is asked for; two threads may make one each, and either serves. */
    private QueueServiceAsyncClient sdk() {
        QueueServiceAsyncClient known = sdk;
        if (known == null) {
            known = sdk(calls.pipeline());
            sdk = known;
        }
        return known;
    }

    /** For the application, which may want it to sign on its own. */
    private QueueServiceAsyncClient lent() {
        QueueServiceAsyncClient known = lent;
        if (known == null) {
            known = sdk(calls.pipeline(account.credential().signers()));
            lent = known;
        }
        return known;
    }

    private QueueServiceAsyncClient sdk(HttpPipeline pipeline) {
        return new QueueServiceClientBuilder()
                .endpoint(account.endpoint(Service.QUEUE).toString())
                .pipeline(pipeline)
                .messageEncoding(QueueMessageEncoding.NONE)
                .buildAsyncClient();
    }

    /**
     * Where results are delivered.
     *
     * @return the scheduler of the callback threads
     */
    public Scheduler callbackScheduler() {
        return connection.callbackScheduler();
    }
}
