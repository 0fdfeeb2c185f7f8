package io.stowline.queue.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.internal.QueueService;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueueEntryTest {

    private final StorageAccount account = new StorageAccount(
            "acct",
            Bench.account().credential(),
            Map.of(Service.QUEUE, URI.create("https://acct.queue.core.windows.net")));
    private final ClientRuntime runtime = ClientRuntime.open(account, Bench.settings(4, RetrySettings.defaults()));

    private MessageQueue<String> queue(StorageAccount of, String name) {
        QueueService service = new QueueService(of, runtime, RetrySettings.defaults());
        return DefaultMessageQueue.of(new ConsumerRegistry("acct", service, runtime, null), name, String.class);
    }

    @AfterEach
    void close() {
        runtime.close(Duration.ofSeconds(20)).block();
    }

    @Test
    void aQueueKnowsWhereItIs() {
        MessageQueue<String> queue = queue(account, "orders");

        assertThat(queue.name()).isEqualTo("orders");
        assertThat(queue.unwrap().getQueueUrl()).isEqualTo("https://acct.queue.core.windows.net/orders");
        assertThat(queue.unwrap().getMessageEncoding()).hasToString("NONE");
        assertThat(queue.reactive().unwrap()).isSameAs(queue.unwrap());
        assertThat(queue.reactive().name()).isEqualTo("orders");
    }

    @Test
    void refusesOtherNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue(account, "Orders"))
                .withMessageContaining("'Orders'");
    }

    @Test
    void anAccountWithoutQueuesIsRefusedWhenOneIsRequested() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue(Bench.account(), "orders"))
                .withMessageContaining("QueueEndpoint");
    }

    @Test
    void theCodecFollowsTheType() {
        assertThat(DefaultMessageQueue.codecOf(String.class, null)).isSameAs(MessageCodec.text());
        assertThat(DefaultMessageQueue.codecOf(byte[].class, null)).isSameAs(MessageCodec.bytes());
        assertThat(DefaultMessageQueue.codecOf(Integer.class, null).encode(5)).containsExactly('5');
    }
}
