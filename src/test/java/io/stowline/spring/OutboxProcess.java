package io.stowline.spring;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.table.Entity;
import java.io.PrintStream;
import java.time.Duration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A Spring Boot application in a separate process, which either writes orders with messages, or runs a relay. It logs its events on its
 * standard output, each behind the time of day in ms.
 *
 * <pre>
 * READY                    the application has started
 * SENT number              an order is committed
 * </pre>
 */
@EnableAutoConfiguration
public final class OutboxProcess {

    private OutboxProcess() {}

    /**
     * Runs until it is killed.
     *
     * @param args the connection string, the table, the queue, and the number of orders; 0 runs a relay
     */
    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[3]);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(OutboxProcess.class)
                .properties(
                        "stowline.connection-string=" + args[0],
                        "stowline.outbox.relay=" + (count == 0),
                        "spring.main.banner-mode=off",
                        "logging.level.root=off",
                        "spring.main.web-application-type=none")
                .run();
        say("READY 0");
        Stowline storage = context.getBean(Stowline.class);
        MessageQueue<String> queue = storage.queue(args[2]).withEnvelope(e -> e);
        // The first request of a process takes longer than the deadline below allows on a busy machine.
        storage.table(args[1]).exists();
        for (int i = 0; i < count; i++) {
            storage.table(args[1])
                    .withRetry(r -> r.deadline(Duration.ofSeconds(4)).attemptTimeout(Duration.ofSeconds(2)))
                    .transaction("p")
                    .insert(Entity.builder("p", "order" + i).build())
                    .send(queue, "order" + i)
                    .commit();
            say("SENT order" + i);
        }
        Thread.currentThread().join();
    }

    private static void say(String event) {
        PrintStream out = System.out;
        out.println(System.currentTimeMillis() + " " + event);
        out.flush();
    }
}
