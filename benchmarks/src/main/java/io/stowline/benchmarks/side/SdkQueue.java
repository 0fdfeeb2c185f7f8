package io.stowline.benchmarks.side;

import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Task;

/** The workloads of queues as one would write them by hand with azure-storage-queue. */
final class SdkQueue {

    private final QueueAsyncClient queue;

    SdkQueue(Account account) {
        this.queue = new QueueServiceClientBuilder()
                .endpoint(account.endpoint())
                .credential(new StorageSharedKeyCredential(account.name(), account.key()))
                .messageEncoding(QueueMessageEncoding.BASE64)
                .httpClient(SdkSide.http())
                .buildAsyncClient()
                .getQueueAsyncClient(Account.QUEUE);
    }

    Task sends(int inFlight) {
        return new Pump(inFlight, 1, n -> queue.sendMessage(Orders.message(n)));
    }

    Task receives() {
        return new Pump(1, Orders.RECEIVED, n -> queue.receiveMessages(Orders.RECEIVED)
                .flatMap(
                        message -> queue.deleteMessage(message.getMessageId(), message.getPopReceipt()),
                        Orders.RECEIVED));
    }
}
