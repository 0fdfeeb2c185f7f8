package io.stowline.spring.boot.test;

import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.spring.boot.test.MarathonApplication.Order;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A listener method that components inherit. */
abstract class OrderDesk {

    static final String QUEUE = "returns";

    final BlockingQueue<Order> returned = new LinkedBlockingQueue<>();

    @StowlineQueueListener(QUEUE)
    void take(Order order) {
        returned.add(order);
    }
}
