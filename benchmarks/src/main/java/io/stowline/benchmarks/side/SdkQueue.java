package io.stowline.benchmarks.side;

import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.MessageFlow;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Task;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** The workloads of queues as one would write them by hand with azure-storage-queue. */
final class SdkQueue {

    private final QueueServiceClientBuilder service;
    private final QueueAsyncClient queue;

    SdkQueue(Account account) {
        this.service = new QueueServiceClientBuilder()
                .endpoint(account.endpoint())
                .credential(new StorageSharedKeyCredential(account.name(), account.key()))
                .messageEncoding(QueueMessageEncoding.BASE64)
                .httpClient(SdkSide.http());
        this.queue = service.buildAsyncClient().getQueueAsyncClient(Account.QUEUE);
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

    /** Returns a loop by hand, whose threads live on between rounds. */
    Task consumption(Callable<Long> requests) {
        QueueAsyncClient sender = service.buildAsyncClient().getQueueAsyncClient(Account.CONSUMED);
        QueueClient work = service.buildClient().getQueueClient(Account.CONSUMED);
        SdkConsumer.Threads threads = new SdkConsumer.Threads(
                Executors.newFixedThreadPool(MessageFlow.HANDLERS, SdkQueue::daemon),
                Executors.newScheduledThreadPool(2, SdkQueue::daemon));
        return new MessageFlow(
                n -> sender.sendMessage(Orders.message(n)),
                handler -> SdkConsumer.start(work, threads, handler),
                requests);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "sdk-consumer");
        thread.setDaemon(true);
        return thread;
    }
}
