package io.stowline.spring.boot.test;

import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.spring.boot.test.MarathonApplication.Order;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.stereotype.Component;

/** A component of the application with a listener method. */
@Component
class Shipping {

    static final String QUEUE = "shipments";

    final BlockingQueue<Order> shipped = new LinkedBlockingQueue<>();

    @StowlineQueueListener(QUEUE)
    void ship(Order order) {
        shipped.add(order);
    }
}
