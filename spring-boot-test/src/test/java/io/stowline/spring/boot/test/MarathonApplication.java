package io.stowline.spring.boot.test;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The application that the tests of this module test. */
@SpringBootApplication
@Import(MarathonApplication.Storage.class)
public class MarathonApplication {

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}

    record Order(String id, int amount) {}

    public static void main(String[] args) {
        SpringApplication.run(MarathonApplication.class, args);
    }

    static class Storage extends StowlineBeans {
        @Override
        protected void declare() {
            table("registrations", Runner.class);
            queue("orders", Order.class);
            container("photos");
        }
    }
}
