package io.stowline.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.spring.boot.listener.StowlineQueueListenerRegistry;
import io.stowline.spring.boot.test.MarathonApplication.Order;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

/** Listeners of a slice run on request only. */
class ListenerSliceTest {

    private static final String QUEUE = "sliced-orders";

    static class OrderListener {

        private final BlockingQueue<Order> handled = new LinkedBlockingQueue<>();

        @StowlineQueueListener(QUEUE)
        void handle(Order order) {
            handled.add(order);
        }
    }

    @Nested
    @StowlineTest(listeners = true)
    @Import(OrderListener.class)
    class OnRequest {

        @Autowired
        io.stowline.Stowline storage;

        @Autowired
        OrderListener listener;

        @Test
        void runs() throws InterruptedException {
            MessageQueue<Order> orders = storage.queue(QUEUE, Order.class);
            orders.send(new Order("o1", 1));

            assertThat(listener.handled.poll(60, TimeUnit.SECONDS)).isEqualTo(new Order("o1", 1));
        }
    }

    @Nested
    @StowlineTest
    @Import(OrderListener.class)
    class ByDefault {

        @Autowired
        StowlineQueueListenerRegistry registry;

        @Test
        void doesNotRun() {
            assertThat(registry.listener(QUEUE).isRunning()).isFalse();
        }
    }
}
