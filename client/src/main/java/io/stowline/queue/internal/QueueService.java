package io.stowline.queue.internal;

import com.azure.core.http.HttpPipeline;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.stowline.batching.internal.callback.Callbacks;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.sdk.SdkCalls;
import org.jspecify.annotations.Nullable;

/** The queue service of one account as one client uses it. Thread-safe. */
public final class QueueService {

    private final StorageAccount account;
    private final ClientRuntime connection;
    private final RetrySettings retry;
    private final SdkCalls calls;
    private final UnconfirmedDeletes completed;
    private volatile @Nullable QueueServiceAsyncClient sdk;
    private volatile @Nullable QueueServiceAsyncClient lent;

    /**
     * Prepares the service; nothing is sent.
     *
     * @param retry how operations are tried
     */
    public QueueService(StorageAccount account, ClientRuntime connection, RetrySettings retry) {
        this.account = account;
        this.connection = connection;
        this.retry = retry;
        this.calls = connection.sdk(Service.QUEUE);
        this.completed = new UnconfirmedDeletes(connection.to(Service.QUEUE).clock());
    }

    /**
     * The operations of one queue.
     *
     * @param name the queue's name
     * @return its client
     * @throws IllegalArgumentException if the service does not allow the name, or the account has no queue endpoint
     */
    public QueueOperations queue(String name) {
        QueueAsyncClient own = sdk().getQueueAsyncClient(NameRules.queue(name));
        connection.use(Service.QUEUE);
        QueueAsyncClient lent = lent().getQueueAsyncClient(name);
        return new QueueOperations(own, lent, calls, connection.to(Service.QUEUE), retry, completed);
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

    /** Where results are delivered. */
    public Callbacks callbacks() {
        return connection.delivery();
    }
}
